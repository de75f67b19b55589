/** Tests of the port that applications call. */
@NullMarked
package io.cairn.core.session;

import org.jspecify.annotations.NullMarked;
