/*
 * Sorts the bytes of equal elements by their place, and back: first the first byte of each, then
 * the second byte of each, and so on. Bytes after the last whole element follow as they are. This
 * is the order of the codec shuffle-zstd.
 *
 * Elements of 4 and 8 bytes go through registers, four at a time, if the addresses are multiples
 * of 4 and so is the number of elements. A warp then moves 128 bytes in a row of each plane.
 * Others go byte by byte. A run moves the elements that begin in it. The estimate per byte is one
 * integer operation.
 */
#include "runs.h"

/* A share of a chunk's elements, and all of its planes. */
typedef struct {
  cairn_u64 begin;    /* the first element of the run */
  cairn_u64 end;      /* the element after its last */
  cairn_u64 elements; /* of the chunk, which is the length of a plane */
} shuffle_share;

CAIRN_DEVICE shuffle_share shuffle_of(cairn_run run, cairn_u64 bytes, unsigned width) {
  shuffle_share share;
  share.elements = bytes / width;
  share.begin = (run.from + width - 1) / width;
  share.end = (run.to + width - 1) / width;
  if (share.end > share.elements) {
    share.end = share.elements;
  }
  return share;
}

/* The bytes after the last whole element. */
CAIRN_DEVICE void shuffle_rest(cairn_chunk chunk, cairn_run run, unsigned width) {
  if (run.to == chunk.bytes) {
    cairn_u64 at = chunk.bytes - chunk.bytes % width + CAIRN_THREAD;
    for (; at < chunk.bytes; at += CAIRN_THREADS) {
      ((cairn_byte *)chunk.target)[at] = ((const cairn_byte *)chunk.source)[at];
    }
  }
}

CAIRN_DEVICE int shuffle_by_words(cairn_chunk chunk, cairn_u64 elements, unsigned width) {
  return (width == 4 || width == 8) && ((chunk.source | chunk.target | elements) & 3) == 0;
}

/* One byte of each of four words, at the same place. */
CAIRN_DEVICE unsigned shuffle_column(
    unsigned a, unsigned b, unsigned c, unsigned d, unsigned place) {
  unsigned shift = 8 * place;
  return (a >> shift & 255) | (b >> shift & 255) << 8 | (c >> shift & 255) << 16 |
         (d >> shift & 255) << 24;
}

/* Four elements from the first on, of which one word begins at an offset in each. */
CAIRN_DEVICE void shuffle_words(
    const cairn_byte *source, cairn_byte *planes, cairn_u64 element, cairn_u64 elements,
    unsigned width, unsigned offset) {
  const cairn_byte *from = source + element * width + offset;
  unsigned a = *(const unsigned *)from;
  unsigned b = *(const unsigned *)(from + width);
  unsigned c = *(const unsigned *)(from + 2 * width);
  unsigned d = *(const unsigned *)(from + 3 * width);
  for (unsigned place = 0; place < 4; place++) {
    *(unsigned *)(planes + (offset + place) * elements + element) =
        shuffle_column(a, b, c, d, place);
  }
}

CAIRN_DEVICE void unshuffle_words(
    const cairn_byte *planes, cairn_byte *target, cairn_u64 element, cairn_u64 elements,
    unsigned width, unsigned offset) {
  const cairn_byte *from = planes + offset * elements + element;
  unsigned a = *(const unsigned *)from;
  unsigned b = *(const unsigned *)(from + elements);
  unsigned c = *(const unsigned *)(from + 2 * elements);
  unsigned d = *(const unsigned *)(from + 3 * elements);
  for (unsigned i = 0; i < 4; i++) {
    *(unsigned *)(target + (element + i) * width + offset) = shuffle_column(a, b, c, d, i);
  }
}

/* Sources and targets share no byte. width: of an element in bytes, at least 1. */
CAIRN_KERNEL(shuffle)
(const cairn_chunk *chunks, const unsigned *first, unsigned count, unsigned width) {
  cairn_run run = before_runs(first, count);
  while (next_run(chunks, first, &run)) {
    cairn_chunk chunk = chunks[run.chunk];
    const cairn_byte *source = (const cairn_byte *)chunk.source;
    cairn_byte *planes = (cairn_byte *)chunk.target;
    shuffle_share share = shuffle_of(run, chunk.bytes, width);
    cairn_u64 at = share.begin + CAIRN_THREAD * 4ull;
    if (shuffle_by_words(chunk, share.elements, width)) {
      for (; at < share.end; at += CAIRN_THREADS * 4ull) {
        shuffle_words(source, planes, at, share.elements, width, 0);
        if (width == 8) {
          shuffle_words(source, planes, at, share.elements, width, 4);
        }
      }
    } else {
      for (at = share.begin + CAIRN_THREAD; at < share.end; at += CAIRN_THREADS) {
        for (unsigned place = 0; place < width; place++) {
          planes[place * share.elements + at] = source[at * width + place];
        }
      }
    }
    shuffle_rest(chunk, run, width);
  }
}

CAIRN_KERNEL(unshuffle)
(const cairn_chunk *chunks, const unsigned *first, unsigned count, unsigned width) {
  cairn_run run = before_runs(first, count);
  while (next_run(chunks, first, &run)) {
    cairn_chunk chunk = chunks[run.chunk];
    const cairn_byte *planes = (const cairn_byte *)chunk.source;
    cairn_byte *target = (cairn_byte *)chunk.target;
    shuffle_share share = shuffle_of(run, chunk.bytes, width);
    cairn_u64 at = share.begin + CAIRN_THREAD * 4ull;
    if (shuffle_by_words(chunk, share.elements, width)) {
      for (; at < share.end; at += CAIRN_THREADS * 4ull) {
        unshuffle_words(planes, target, at, share.elements, width, 0);
        if (width == 8) {
          unshuffle_words(planes, target, at, share.elements, width, 4);
        }
      }
    } else {
      for (at = share.begin + CAIRN_THREAD; at < share.end; at += CAIRN_THREADS) {
        for (unsigned place = 0; place < width; place++) {
          target[at * width + place] = planes[place * share.elements + at];
        }
      }
    }
    shuffle_rest(chunk, run, width);
  }
}
