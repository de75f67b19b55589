/**
 * What a process reports of its checkpoints: events for observers, and counters. Decides nothing,
 * and depends on no other package of the engine.
 */
@NullMarked
package io.cairn.engine.events;

import org.jspecify.annotations.NullMarked;
