/**
 * Stages of promotion: queues bounded in bytes, each with one thread, that reject work instead of
 * growing. The engine supplies the work, and decides the outcome of a rejected checkpoint.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.flush.pipeline;

import org.jspecify.annotations.NullMarked;
