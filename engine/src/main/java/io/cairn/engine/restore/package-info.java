/**
 * The way back: a rank's part in the agreement on a checkpoint, and the device cache as a source of
 * copies. Choosing and verifying copies lives in {@code io.cairn.flush.restore}.
 */
@NullMarked
package io.cairn.engine.restore;

import org.jspecify.annotations.NullMarked;
