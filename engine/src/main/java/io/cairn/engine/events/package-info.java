/**
 * The events of a process's checkpoints, their observers, and counters. Decides nothing, and
 * depends on no other package of the engine.
 */
@NullMarked
package io.cairn.engine.events;

import org.jspecify.annotations.NullMarked;
