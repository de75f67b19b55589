/*
 * Copies chunks and leaves the CRC32C of each, in one pass.
 *
 * A remainder modulo the CRC's polynomial P is a word whose highest bit is the coefficient of x^0.
 * The remainder of bytes B is B * x^32 mod P. It is linear, so that parts are computed anywhere and
 * added: the part before n further bytes counts x^(8 n) times as much.
 *
 * A thread takes a unit of 16 bytes of each stride of the block, so a warp reads 512 bytes in a row.
 * Its state leaves out the last word until that is multiplied on. The word is multiplied by
 * CRC_GAP if another unit follows, which is one lookup per byte in four tables, and by x^32 between
 * the words of a unit, which is one lookup per byte in one table. The table for x^32 exists once
 * for each of the 32 banks of shared memory, so its lookups never collide; those in the other four
 * tables do, three or four times. Strides are counted from the end of a run: a first one that is
 * not full begins with units that are zero and change no remainder. Each thread has four units under
 * way, so that one block per multiprocessor saturates the memory and leaves room for other kernels.
 *
 * Estimate per byte: 1 lookup, of which a quarter collide (1.6 cycles of a bank), and 4 integer
 * operations (extract, address, shift, add). A run costs 300 operations per thread and some
 * thousands in one thread on top: little beside a megabyte.
 */
#include "runs.h"

#define CRC_POLYNOMIAL 0x82f63b78u
#define CRC_ONE 0x80000000u                      /* x^0 */
#define CRC_BANKS 32u                            /* of shared memory */
#define CRC_AHEAD 4u                             /* units of a thread that are under way */
#define CRC_STRIDE_BYTES (CAIRN_THREADS * 16ull) /* bytes between two units of a thread */
#define CRC_GAP 0x1974b1c6u                      /* x^(8 (CRC_STRIDE_BYTES - 12)) */
#define CRC_ORDER 31u                            /* x^(2^(k + 31)) = x^(2^k) modulo P */

/* x^(8 * 2^k). */
static __constant__ unsigned crc_powers[CRC_ORDER] = {
    0x00800000u, 0x00008000u, 0x82f63b78u, 0x6ea2d55cu, 0x18b8ea18u, 0x510ac59au, 0xb82be955u,
    0xb8fdb1e7u, 0x88e56f72u, 0x74c360a4u, 0xe4172b16u, 0x0d65762au, 0x35d73a62u, 0x28461564u,
    0xbf455269u, 0xe2ea32dcu, 0xfe7740e6u, 0xf946610bu, 0x3c204f8fu, 0x538586e3u, 0x59726915u,
    0x734d5309u, 0xbc1ac763u, 0x7d0722ccu, 0xd289cabeu, 0xe94ca9bcu, 0x05b74f3fu, 0xa51e1f42u,
    0x40000000u, 0x20000000u, 0x08000000u,
};

/* a * b mod P, in 32 steps. */
CAIRN_DEVICE unsigned crc_multiply(unsigned a, unsigned b) {
  unsigned product = 0;
#pragma unroll 4 /* wholly unrolled it takes twice the registers */
  for (int i = 0; i < 32; i++) {
    product ^= a >> 31 ? b : 0;
    a <<= 1;
    b = b >> 1 ^ (b & 1 ? CRC_POLYNOMIAL : 0);
  }
  return product;
}

/* x^(8 n): the weight of a remainder before n bytes. */
CAIRN_DEVICE unsigned crc_weight(cairn_u64 bytes) {
  unsigned weight = CRC_ONE;
  for (unsigned k = 0; bytes != 0; k = (k + 1) % CRC_ORDER, bytes >>= 1) {
    if (bytes & 1) {
      weight = crc_multiply(weight, crc_powers[k]);
    }
  }
  return weight;
}

/* The remainder of one byte at the low end of a word. */
CAIRN_DEVICE unsigned crc_of_byte(unsigned byte) {
  for (int i = 0; i < 8; i++) {
    byte = byte >> 1 ^ (byte & 1 ? CRC_POLYNOMIAL : 0);
  }
  return byte;
}

/* Two threads fill a row of the replicated table, each in an order that no bank serves twice. */
CAIRN_DEVICE void crc_fill(unsigned *bytes, unsigned *gap) {
  unsigned thread = CAIRN_THREAD;
  unsigned row = thread / 2;
  unsigned remainder = crc_of_byte(row);
  for (unsigned i = 0; i < CRC_BANKS; i += 2) {
    bytes[row * CRC_BANKS + (thread + i) % CRC_BANKS] = remainder;
  }
  for (unsigned i = thread; i < 4 * 256; i += CAIRN_THREADS) {
    gap[i] = crc_multiply((i % 256) << (i / 256 * 8), CRC_GAP);
  }
}

/* state * x^32. Column: the table's copy in the bank of the thread's lane. */
CAIRN_DEVICE unsigned crc_word(unsigned state, const unsigned *column) {
  for (int i = 0; i < 4; i++) {
    state = column[(state & 255) * CRC_BANKS] ^ state >> 8;
  }
  return state;
}

CAIRN_DEVICE unsigned crc_unit(
    unsigned state, cairn_unit unit, const unsigned *column, const unsigned *gap) {
  state = gap[state & 255] ^ gap[256 + (state >> 8 & 255)] ^ gap[512 + (state >> 16 & 255)] ^
          gap[768 + (state >> 24)];
  state = crc_word(state ^ unit.w[0], column) ^ unit.w[1];
  state = crc_word(state, column) ^ unit.w[2];
  return crc_word(state, column) ^ unit.w[3];
}

/* Copies the thread's units of a run. Returns its remainder, as if nothing followed it. */
CAIRN_DEVICE unsigned crc_units(
    const cairn_byte *source, cairn_byte *target, cairn_u64 bytes, const unsigned *column,
    const unsigned *gap) {
  cairn_u64 missing = (CRC_STRIDE_BYTES - bytes % CRC_STRIDE_BYTES) % CRC_STRIDE_BYTES;
  cairn_u64 at = CAIRN_THREAD * 16ull;
  cairn_unit ahead[CRC_AHEAD];
  unsigned state = 0;
  at = at < missing ? at + CRC_STRIDE_BYTES - missing : at - missing;
#pragma unroll
  for (unsigned i = 0; i < CRC_AHEAD; i++) {
    if (at + i * CRC_STRIDE_BYTES < bytes) {
      ahead[i] = load_unit(source + at + i * CRC_STRIDE_BYTES);
    }
  }
  while (at < bytes) {
#pragma unroll
    for (unsigned i = 0; i < CRC_AHEAD; i++) {
      if (at < bytes) {
        cairn_u64 later = at + CRC_AHEAD * CRC_STRIDE_BYTES;
        cairn_unit unit = ahead[i];
        if (later < bytes) {
          ahead[i] = load_unit(source + later); /* under way while units are looked up */
        }
        if (target != 0) {
          store_unit(target + at, unit);
        }
        state = crc_unit(state, unit, column, gap);
        at += CRC_STRIDE_BYTES;
      }
    }
  }
  return crc_word(state, column);
}

/* Copies the last bytes of a chunk, fewer than a unit, and continues its remainder. */
CAIRN_DEVICE unsigned crc_tail(
    unsigned state, const cairn_byte *source, cairn_byte *target, cairn_u64 bytes,
    const unsigned *column) {
  for (cairn_u64 i = 0; i < bytes; i++) {
    if (target != 0) {
      target[i] = source[i];
    }
    state = column[((state ^ source[i]) & 255) * CRC_BANKS] ^ state >> 8;
  }
  return state;
}

/* crcs: a word per chunk, which is 0 before the launch. Chunks without a target are not copied. */
CAIRN_KERNEL(copy_crc32c)
(const cairn_chunk *chunks, const unsigned *first, unsigned count, unsigned *crcs) {
  __shared__ unsigned bytes[256 * CRC_BANKS];
  __shared__ unsigned gap[4 * 256];
  __shared__ unsigned sum;
  const unsigned *column = bytes + CAIRN_THREAD % CRC_BANKS;
  unsigned weight = crc_weight((CAIRN_THREADS - 1 - CAIRN_THREAD) * 16ull);
  cairn_run run = before_runs(first, count);
  crc_fill(bytes, gap);
  CAIRN_BARRIER();
  while (next_run(chunks, first, &run)) {
    cairn_chunk chunk = chunks[run.chunk];
    const cairn_byte *source = (const cairn_byte *)chunk.source + run.from;
    cairn_byte *target = chunk.target == 0 ? 0 : (cairn_byte *)chunk.target + run.from;
    cairn_u64 units = (run.to - run.from) / 16 * 16;
    unsigned state = crc_units(source, target, units, column, gap);
    if (CAIRN_THREAD == 0) {
      sum = 0;
    }
    CAIRN_BARRIER();
    CAIRN_ATOMIC_XOR(&sum, crc_multiply(state, weight));
    CAIRN_BARRIER();
    if (CAIRN_THREAD == 0) {
      cairn_byte *rest = target == 0 ? 0 : target + units;
      state = crc_tail(sum, source + units, rest, run.to - run.from - units, column);
      state = crc_multiply(state, crc_weight(chunk.bytes - run.to));
      if (run.from == 0) { /* the CRC begins with ones, and ends with its complement */
        state ^= ~crc_multiply(~0u, crc_weight(chunk.bytes));
      }
      CAIRN_ATOMIC_XOR(&crcs[run.chunk], state);
    }
  }
}
