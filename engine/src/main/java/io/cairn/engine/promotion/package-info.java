/**
 * The levels below DEVICE: the steps that bring checkpoints there, off the training thread, and the
 * deletion of those that newer ones replace. The group's coordinator decides which are sealed. A
 * level is written by a {@link io.cairn.engine.promotion.LevelWriter}; {@link
 * io.cairn.core.model.LevelSpec} lists the levels.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.promotion;

import org.jspecify.annotations.NullMarked;
