/**
 * Tests of CUDA without a GPU. Memory and copies are tested over a driver in C, which any machine
 * with a C compiler builds. The CUDA kernels are compiled for the CPU: the threads of a block run
 * as fibers in seeded order, so barriers, tails and constants are tested. The order of memory
 * between blocks, and speed, are not.
 */
@NullMarked
package io.cairn.cache.memory.cuda;

import org.jspecify.annotations.NullMarked;
