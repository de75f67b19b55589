/** Tests of the way between ranks and coordinators. */
@NullMarked
package io.cairn.engine.coordination;

import org.jspecify.annotations.NullMarked;
