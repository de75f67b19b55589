/**
 * Tests of the CUDA kernels, compiled for the CPU: any machine with a C compiler runs them. The
 * threads of a block run as fibers in seeded order, so barriers, tails and constants are tested.
 * The order of memory between blocks, and speed, are not.
 */
@NullMarked
package io.cairn.cache.memory.cuda;

import org.jspecify.annotations.NullMarked;
