/*
 * The words of CUDA for a C compiler. A block's threads are fibers; blocks.c runs them.
 * Shared memory lies in a section of its own, which is poisoned before each block.
 */
#ifndef CAIRN_SHIM_H
#define CAIRN_SHIM_H

#define __device__
#define __constant__
#define __shared__ static __attribute__((section("cairn_shared")))
#define CAIRN_KERNEL(name) void cairn_##name
#define CAIRN_BARRIER() cairn_barrier()
#define CAIRN_THREAD cairn_thread
#define CAIRN_BLOCK cairn_block
#define CAIRN_BLOCKS cairn_blocks
#define CAIRN_ATOMIC_XOR(word, bits) (cairn_pause(), *(word) ^= (bits))
#define CAIRN_ATOMIC_OR(word, bits) (cairn_pause(), *(word) |= (bits))

extern unsigned cairn_thread; /* of the fiber that runs */
extern unsigned cairn_block;
extern unsigned cairn_blocks;

/* Suspends the fiber until all of its block are here. */
void cairn_barrier(void);

/* Lets another fiber run, or not. */
void cairn_pause(void);

#endif
