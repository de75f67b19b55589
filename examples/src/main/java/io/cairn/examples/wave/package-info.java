/**
 * Reverse-time migration of an acoustic model in two dimensions or three: a forward pass that
 * stores the field of every step, and a backward pass that reads them in reverse. Plain Java
 * arrays; the checkpoints are Cairn's.
 */
@NullMarked
package io.cairn.examples.wave;

import org.jspecify.annotations.NullMarked;
