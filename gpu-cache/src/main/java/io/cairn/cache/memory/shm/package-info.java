/**
 * Device memory in a memory-mapped file, by default on tmpfs: the embedded device, which peers on
 * one node really share. What dies with a GPU's process is dead here too: a dead owner's arena is
 * never read again. Node storage, which outlives processes, does not live here.
 */
@NullMarked
package io.cairn.cache.memory.shm;

import org.jspecify.annotations.NullMarked;
