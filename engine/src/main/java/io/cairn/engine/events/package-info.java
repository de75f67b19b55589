/**
 * The events of a process's checkpoints, their observers, counters, and accounts of time. Decides
 * nothing, and depends on no other package of the engine.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.events;

import org.jspecify.annotations.NullMarked;
