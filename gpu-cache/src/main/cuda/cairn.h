/*
 * The words that all kernels share. README.md beside this file is the contract for the host.
 * Three compilers read these sources: nvcc, clang without a toolkit, and, with a shim that defines
 * CAIRN_SHIM, any C compiler.
 */
#ifndef CAIRN_H
#define CAIRN_H

/* Threads of every block. Geometry: a grid of one dimension, of any size. */
#define CAIRN_THREADS 512u

/* Bytes of a piece. A chunk has as many as cover it, none if it is empty. */
#define CAIRN_PIECE_BYTES 65536ull

#if defined(CAIRN_SHIM)
#include CAIRN_SHIM
#elif defined(__clang__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define CAIRN_KERNEL(name) \
  extern "C" __global__ __attribute__((launch_bounds(CAIRN_THREADS))) void cairn_##name
#define CAIRN_BARRIER() __syncthreads()
#define CAIRN_THREAD ((unsigned)__nvvm_read_ptx_sreg_tid_x())
#define CAIRN_BLOCK ((unsigned)__nvvm_read_ptx_sreg_ctaid_x())
#define CAIRN_BLOCKS ((unsigned)__nvvm_read_ptx_sreg_nctaid_x())
#define CAIRN_ATOMIC_XOR(word, bits) __atomic_fetch_xor(word, bits, __ATOMIC_RELAXED)
#define CAIRN_ATOMIC_OR(word, bits) __atomic_fetch_or(word, bits, __ATOMIC_RELAXED)
#else
#define CAIRN_KERNEL(name) extern "C" __global__ void __launch_bounds__(CAIRN_THREADS) cairn_##name
#define CAIRN_BARRIER() __syncthreads()
#define CAIRN_THREAD threadIdx.x
#define CAIRN_BLOCK blockIdx.x
#define CAIRN_BLOCKS gridDim.x
#define CAIRN_ATOMIC_XOR(word, bits) atomicXor(word, bits)
#define CAIRN_ATOMIC_OR(word, bits) atomicOr(word, bits)
#endif

#define CAIRN_DEVICE static inline __device__

typedef unsigned char cairn_byte;
typedef unsigned long long cairn_u64;

/* One chunk, 24 bytes. The host fills a table of them, which the device reads. */
typedef struct {
  cairn_u64 source; /* address */
  cairn_u64 target; /* address, or 0 where a kernel permits that */
  cairn_u64 bytes;
} cairn_chunk;

/* Sixteen bytes, which an aligned thread loads or stores at once. */
typedef struct __attribute__((aligned(16))) {
  unsigned w[4];
} cairn_unit;

/* Bytes from an address, of any alignment. */
CAIRN_DEVICE unsigned load_word(const cairn_byte *from) {
  if (((cairn_u64)from & 3) == 0) {
    return *(const unsigned *)from;
  }
  return from[0] | (unsigned)from[1] << 8 | (unsigned)from[2] << 16 | (unsigned)from[3] << 24;
}

CAIRN_DEVICE cairn_unit load_unit(const cairn_byte *from) {
  cairn_unit unit;
  if (((cairn_u64)from & 15) == 0) {
    return *(const cairn_unit *)from;
  }
  unit.w[0] = load_word(from);
  unit.w[1] = load_word(from + 4);
  unit.w[2] = load_word(from + 8);
  unit.w[3] = load_word(from + 12);
  return unit;
}

/* Bytes to an address, of any alignment. */
CAIRN_DEVICE void store_word(cairn_byte *to, unsigned word) {
  if (((cairn_u64)to & 3) == 0) {
    *(unsigned *)to = word;
    return;
  }
  to[0] = (cairn_byte)word;
  to[1] = (cairn_byte)(word >> 8);
  to[2] = (cairn_byte)(word >> 16);
  to[3] = (cairn_byte)(word >> 24);
}

CAIRN_DEVICE void store_unit(cairn_byte *to, cairn_unit unit) {
  if (((cairn_u64)to & 15) == 0) {
    *(cairn_unit *)to = unit;
    return;
  }
  store_word(to, unit.w[0]);
  store_word(to + 4, unit.w[1]);
  store_word(to + 8, unit.w[2]);
  store_word(to + 12, unit.w[3]);
}

#endif
