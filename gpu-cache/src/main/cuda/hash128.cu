/*
 * A hash of 128 bits per chunk, by which chunks that did not change are known.
 *
 * Leaves: each 8 KiB of a chunk, the last ones filled up with zeros. Root: the chunk's length in 8
 * bytes, 8 zeros, the hashes of the leaves in order, and zeros up to a multiple of 1 KiB. The hash
 * of the chunk is that of the root. Leaves and root are hashed by XXH3 with 128 bits and seed 0, as
 * published. All numbers are little-endian, the lower half of a hash first. The length makes chunks
 * differ that differ only in the zeros at their end.
 *
 * XXH3 has eight sums, of which two neighbours depend on the same 16 bytes. Four threads hash one
 * leaf, two sums each, so a warp hashes a piece. Only texts of whole KiB occur here: blocks of 16
 * stripes of 64 bytes, of which the last stripe of a text has keys of its own.
 *
 * Estimate per byte: under 1 integer operation (per 16 bytes two products, and additions and
 * exclusive ors of 64 bits), and one load of a key from shared memory per 16 bytes.
 */
#include "runs.h"

#define HASH_LEAF_BYTES 8192ull
#define HASH_LEAVES_PER_PIECE 8u /* CAIRN_PIECE_BYTES / HASH_LEAF_BYTES */
#define HASH_LANES 4u            /* threads of a leaf or root */
#define HASH_STRIPES 16u         /* of 64 bytes, in a block of 1 KiB */
#define HASH_BLOCK_UNITS 64u     /* units of 16 bytes in a block */
#define HASH_AHEAD 4u            /* stripes that a thread loads at once; divides those of a block */
#define HASH_PRIME32_1 0x9e3779b1ull
#define HASH_PRIME32_2 0x85ebca77ull
#define HASH_PRIME32_3 0xc2b2ae3dull
#define HASH_PRIME64_1 0x9e3779b185ebca87ull
#define HASH_PRIME64_2 0xc2b2ae3d27d4eb4full
#define HASH_PRIME64_3 0x165667b19e3779f9ull
#define HASH_PRIME64_4 0x85ebca77c2b2ae63ull
#define HASH_PRIME64_5 0x27d4eb2f165667c5ull
#define HASH_AVALANCHE 0x165667919e3779f9ull

/* Two words of 64 bits: sums, keys, or a unit of the text. */
typedef struct __attribute__((aligned(16))) {
  cairn_u64 a;
  cairn_u64 b;
} hash_pair;

/* XXH3's secret of 192 bytes, as published. */
static __constant__ cairn_byte hash_secret[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

/* Begin of keys in the secret, in bytes. */
#define HASH_SCRAMBLE_AT 128u
#define HASH_LAST_STRIPE_AT 121u
#define HASH_LOW_AT 11u
#define HASH_HIGH_AT 117u

static __constant__ cairn_u64 hash_begin[8] = {
    HASH_PRIME32_3, HASH_PRIME64_1, HASH_PRIME64_2, HASH_PRIME64_3,
    HASH_PRIME64_4, HASH_PRIME32_2, HASH_PRIME64_5, HASH_PRIME32_1,
};

CAIRN_DEVICE cairn_u64 hash_key(unsigned at) {
  cairn_u64 key = 0;
  for (unsigned i = 0; i < 8; i++) {
    key |= (cairn_u64)hash_secret[at + i] << 8 * i;
  }
  return key;
}

/* The two keys of a lane, of four that begin at the same byte. */
CAIRN_DEVICE hash_pair hash_keys(unsigned at, unsigned lane) {
  hash_pair keys;
  keys.a = hash_key(at + 16 * lane);
  keys.b = hash_key(at + 16 * lane + 8);
  return keys;
}

/* The keys of the stripes of a block: stripe s of lane j has words s + 2 j and s + 2 j + 1. */
CAIRN_DEVICE void hash_fill(cairn_u64 *stripes) {
  if (CAIRN_THREAD < 24) {
    stripes[CAIRN_THREAD] = hash_key(8 * CAIRN_THREAD);
  }
}

CAIRN_DEVICE hash_pair hash_first_sums(unsigned lane) {
  hash_pair sums;
  sums.a = hash_begin[2 * lane];
  sums.b = hash_begin[2 * lane + 1];
  return sums;
}

CAIRN_DEVICE void hash_add(hash_pair *sums, hash_pair text, cairn_u64 key_a, cairn_u64 key_b) {
  cairn_u64 a = text.a ^ key_a;
  cairn_u64 b = text.b ^ key_b;
  sums->a += text.b + (a & 0xffffffffull) * (a >> 32);
  sums->b += text.a + (b & 0xffffffffull) * (b >> 32);
}

/* After each block but the last. */
CAIRN_DEVICE void hash_scramble(hash_pair *sums, hash_pair keys) {
  sums->a = (sums->a ^ sums->a >> 47 ^ keys.a) * HASH_PRIME32_1;
  sums->b = (sums->b ^ sums->b >> 47 ^ keys.b) * HASH_PRIME32_1;
}

/* The lane's part of a half of the hash. The parts of four lanes are added. */
CAIRN_DEVICE cairn_u64 hash_fold(hash_pair sums, hash_pair keys) {
  unsigned __int128 product = (unsigned __int128)(sums.a ^ keys.a) * (sums.b ^ keys.b);
  return (cairn_u64)product ^ (cairn_u64)(product >> 64);
}

CAIRN_DEVICE cairn_u64 hash_avalanche(cairn_u64 half) {
  half = (half ^ half >> 37) * HASH_AVALANCHE;
  return half ^ half >> 32;
}

/* 16 bytes of a text of which so many are left; zeros follow its end. */
CAIRN_DEVICE hash_pair hash_load(const cairn_byte *from, cairn_u64 left) {
  hash_pair text;
  cairn_unit unit;
  if (left >= 16) {
    unit = load_unit(from);
    text.a = unit.w[0] | (cairn_u64)unit.w[1] << 32;
    text.b = unit.w[2] | (cairn_u64)unit.w[3] << 32;
    return text;
  }
  text.a = 0;
  text.b = 0;
  for (unsigned i = 0; i < left; i++) {
    if (i < 8) {
      text.a |= (cairn_u64)from[i] << 8 * i;
    } else {
      text.b |= (cairn_u64)from[i] << 8 * (i - 8);
    }
  }
  return text;
}

/* The sums of a lane over a whole leaf at an aligned address, with four loads under way at once. */
CAIRN_DEVICE hash_pair hash_whole_leaf(
    const cairn_byte *leaf, unsigned lane, const cairn_u64 *stripes) {
  hash_pair sums = hash_first_sums(lane);
  hash_pair last = hash_keys(HASH_LAST_STRIPE_AT, lane);
  hash_pair scramble = hash_keys(HASH_SCRAMBLE_AT, lane);
  const cairn_u64 *keys = stripes + 2 * lane;
  for (unsigned at = 0; at < HASH_LEAF_BYTES; at += HASH_AHEAD * 64) {
    unsigned first = at / 64 % HASH_STRIPES;
    hash_pair texts[HASH_AHEAD];
#pragma unroll
    for (unsigned i = 0; i < HASH_AHEAD; i++) {
      texts[i] = *(const hash_pair *)(leaf + at + 64 * i + 16 * lane);
    }
#pragma unroll
    for (unsigned i = 0; i < HASH_AHEAD; i++) {
      if (at + 64 * (i + 1) == HASH_LEAF_BYTES) {
        hash_add(&sums, texts[i], last.a, last.b);
      } else {
        hash_add(&sums, texts[i], keys[first + i], keys[first + i + 1]);
      }
    }
    if (first + HASH_AHEAD == HASH_STRIPES && at + 64 * HASH_AHEAD < HASH_LEAF_BYTES) {
      hash_scramble(&sums, scramble);
    }
  }
  return sums;
}

/* The sums of a lane over a leaf of which so many bytes are in the chunk. */
CAIRN_DEVICE hash_pair hash_leaf(
    const cairn_byte *leaf, cairn_u64 bytes, unsigned lane, const cairn_u64 *stripes) {
  if (bytes >= HASH_LEAF_BYTES && ((cairn_u64)leaf & 15) == 0) {
    return hash_whole_leaf(leaf, lane, stripes);
  }
  hash_pair sums = hash_first_sums(lane);
  hash_pair last = hash_keys(HASH_LAST_STRIPE_AT, lane);
  hash_pair scramble = hash_keys(HASH_SCRAMBLE_AT, lane);
  const cairn_u64 *keys = stripes + 2 * lane;
  for (cairn_u64 at = 16 * lane; at < HASH_LEAF_BYTES; at += 64) {
    unsigned stripe = (unsigned)(at / 64) % HASH_STRIPES;
    hash_pair text = hash_load(leaf + at, at < bytes ? bytes - at : 0);
    if (at + 64 >= HASH_LEAF_BYTES) {
      hash_add(&sums, text, last.a, last.b);
    } else {
      hash_add(&sums, text, keys[stripe], keys[stripe + 1]);
      if (stripe == HASH_STRIPES - 1) {
        hash_scramble(&sums, scramble);
      }
    }
  }
  return sums;
}

/* A unit of a root: length, hashes, zeros. */
CAIRN_DEVICE hash_pair hash_root_unit(
    cairn_u64 unit, cairn_u64 bytes, cairn_u64 leaves, const hash_pair *hashes) {
  hash_pair text;
  text.a = unit == 0 ? bytes : 0;
  text.b = 0;
  return unit == 0 || unit > leaves ? text : hashes[unit - 1];
}

/* Units of a root, a multiple of those of a block. */
CAIRN_DEVICE cairn_u64 hash_root_units(cairn_u64 leaves) {
  return (1 + leaves + HASH_BLOCK_UNITS - 1) / HASH_BLOCK_UNITS * HASH_BLOCK_UNITS;
}

CAIRN_DEVICE hash_pair hash_root(
    cairn_u64 bytes, const hash_pair *hashes, unsigned lane, const cairn_u64 *stripes) {
  hash_pair sums = hash_first_sums(lane);
  hash_pair last = hash_keys(HASH_LAST_STRIPE_AT, lane);
  hash_pair scramble = hash_keys(HASH_SCRAMBLE_AT, lane);
  const cairn_u64 *keys = stripes + 2 * lane;
  cairn_u64 leaves = (bytes + HASH_LEAF_BYTES - 1) / HASH_LEAF_BYTES;
  cairn_u64 units = hash_root_units(leaves);
  for (cairn_u64 unit = lane; unit < units; unit += HASH_LANES) {
    unsigned stripe = (unsigned)(unit / HASH_LANES % HASH_STRIPES);
    hash_pair text = hash_root_unit(unit, bytes, leaves, hashes);
    if (unit + HASH_LANES >= units) {
      hash_add(&sums, text, last.a, last.b);
    } else {
      hash_add(&sums, text, keys[stripe], keys[stripe + 1]);
      if (stripe == HASH_STRIPES - 1) {
        hash_scramble(&sums, scramble);
      }
    }
  }
  return sums;
}

/* The halves of the hash of a text from the parts of its four lanes. */
CAIRN_DEVICE hash_pair hash_end(const hash_pair *parts, cairn_u64 bytes) {
  hash_pair hash;
  hash.a = bytes * HASH_PRIME64_1 + parts[0].a + parts[1].a + parts[2].a + parts[3].a;
  hash.b = ~(bytes * HASH_PRIME64_2) + parts[0].b + parts[1].b + parts[2].b + parts[3].b;
  hash.a = hash_avalanche(hash.a);
  hash.b = hash_avalanche(hash.b);
  return hash;
}

CAIRN_DEVICE hash_pair hash_parts(hash_pair sums, unsigned lane) {
  hash_pair parts;
  parts.a = hash_fold(sums, hash_keys(HASH_LOW_AT, lane));
  parts.b = hash_fold(sums, hash_keys(HASH_HIGH_AT, lane));
  return parts;
}

/* leaves: receives 8 hashes per piece, in its order; those beyond a chunk's end stay as they are. */
CAIRN_KERNEL(hash128)
(const cairn_chunk *chunks, const unsigned *first, unsigned count, hash_pair *leaves) {
  __shared__ cairn_u64 stripes[24];
  __shared__ hash_pair parts[CAIRN_THREADS];
  const unsigned at_once = CAIRN_THREADS / HASH_LANES / HASH_LEAVES_PER_PIECE;
  unsigned lane = CAIRN_THREAD % HASH_LANES;
  unsigned leaf = CAIRN_THREAD / HASH_LANES % HASH_LEAVES_PER_PIECE;
  unsigned end = share_begin(first, count, CAIRN_BLOCK + 1);
  unsigned begin = share_begin(first, count, CAIRN_BLOCK);
  unsigned chunk = chunk_of(first, count, begin);
  hash_fill(stripes);
  CAIRN_BARRIER();
  for (; begin < end; begin += at_once) {
    unsigned piece = begin + CAIRN_THREAD / (HASH_LANES * HASH_LEAVES_PER_PIECE);
    cairn_u64 at = 0;
    cairn_u64 bytes = 0;
    if (piece < end) {
      while (first[chunk + 1] <= piece) {
        chunk++;
      }
      at = (piece - first[chunk]) * CAIRN_PIECE_BYTES + leaf * HASH_LEAF_BYTES;
      bytes = at < chunks[chunk].bytes ? chunks[chunk].bytes - at : 0;
    }
    if (bytes != 0) {
      const cairn_byte *text = (const cairn_byte *)chunks[chunk].source + at;
      parts[CAIRN_THREAD] = hash_parts(hash_leaf(text, bytes, lane, stripes), lane);
    }
    CAIRN_BARRIER();
    if (bytes != 0 && lane == 0) {
      cairn_u64 place = (cairn_u64)piece * HASH_LEAVES_PER_PIECE + leaf;
      leaves[place] = hash_end(parts + CAIRN_THREAD, HASH_LEAF_BYTES);
    }
    CAIRN_BARRIER();
  }
}

/* After hash128, on its stream. hashes: receives one per chunk. */
CAIRN_KERNEL(hash128_roots)
(const cairn_chunk *chunks, const unsigned *first, unsigned count, const hash_pair *leaves,
 hash_pair *hashes) {
  __shared__ cairn_u64 stripes[24];
  __shared__ hash_pair parts[CAIRN_THREADS];
  const unsigned at_once = CAIRN_THREADS / HASH_LANES;
  unsigned lane = CAIRN_THREAD % HASH_LANES;
  hash_fill(stripes);
  CAIRN_BARRIER();
  for (cairn_u64 begin = (cairn_u64)CAIRN_BLOCK * at_once; begin < count;
       begin += (cairn_u64)CAIRN_BLOCKS * at_once) {
    cairn_u64 chunk = begin + CAIRN_THREAD / HASH_LANES;
    cairn_u64 bytes = chunk < count ? chunks[chunk].bytes : 0;
    if (chunk < count) {
      const hash_pair *own = leaves + (cairn_u64)first[chunk] * HASH_LEAVES_PER_PIECE;
      parts[CAIRN_THREAD] = hash_parts(hash_root(bytes, own, lane, stripes), lane);
    }
    CAIRN_BARRIER();
    if (chunk < count && lane == 0) {
      cairn_u64 root = (bytes + HASH_LEAF_BYTES - 1) / HASH_LEAF_BYTES;
      hashes[chunk] = hash_end(parts + CAIRN_THREAD, hash_root_units(root) * 16);
    }
    CAIRN_BARRIER();
  }
}
