/** Tests of messages as bytes. */
@NullMarked
package io.cairn.core.wire;

import org.jspecify.annotations.NullMarked;
