/**
 * The way down: DEVICE to NODE to STORE, off the training thread, and what is deleted when newer
 * checkpoints are sealed. What decides that something is sealed is the group's coordinator.
 */
@NullMarked
package io.cairn.engine.promotion;

import org.jspecify.annotations.NullMarked;
