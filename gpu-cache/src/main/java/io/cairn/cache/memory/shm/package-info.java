/**
 * Device memory in a memory-mapped file, by default on tmpfs. It is the embedded device, and
 * processes on one node really share it. An arena ends with its process, as the memory of a GPU
 * does: no process reads the arena of a dead owner. The node directory, which outlives processes,
 * does not live here.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.cache.memory.shm;

import org.jspecify.annotations.NullMarked;
