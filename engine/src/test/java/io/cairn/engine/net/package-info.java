/** Tests of the transport without Spark. */
@NullMarked
package io.cairn.engine.net;

import org.jspecify.annotations.NullMarked;
