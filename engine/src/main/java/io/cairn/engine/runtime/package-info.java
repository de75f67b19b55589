/**
 * One process's checkpointing: {@link io.cairn.engine.runtime.Cairn} with its configuration, the
 * carrier of a group's coordinator, and the ports by which a rank reaches it. Runs without Spark;
 * the plugin replaces only how messages travel. What a rank does lives in {@code
 * io.cairn.engine.capture}, {@code .promotion} and {@code .restore}.
 */
@NullMarked
package io.cairn.engine.runtime;

import org.jspecify.annotations.NullMarked;
