/*
 * Compares chunks.
 *
 * Estimate per byte: a tenth of an integer operation, so memory alone bounds the speed.
 */
#include "runs.h"

#define COMPARE_DIFFERS 1u  /* the source differs from the target */
#define COMPARE_NOT_ZERO 2u /* the source has a byte that is not zero */
#define COMPARE_STRIDE_BYTES (CAIRN_THREADS * 16ull)

CAIRN_DEVICE unsigned compare_words(unsigned source, unsigned target) {
  return (source != target ? COMPARE_DIFFERS : 0) | (source != 0 ? COMPARE_NOT_ZERO : 0);
}

/* The flags of one unit. Without a target the source is its own. */
CAIRN_DEVICE unsigned compare_units(const cairn_byte *source, const cairn_byte *target) {
  cairn_unit a = load_unit(source);
  cairn_unit b = source == target ? a : load_unit(target);
  return compare_words(a.w[0], b.w[0]) | compare_words(a.w[1], b.w[1]) |
         compare_words(a.w[2], b.w[2]) | compare_words(a.w[3], b.w[3]);
}

/*
 * flags: a word per chunk, which is 0 before the launch. A chunk without a target never differs.
 * A thread skips what cannot add a flag to those that it has seen of the chunk.
 */
CAIRN_KERNEL(differs)
(const cairn_chunk *chunks, const unsigned *first, unsigned count, unsigned *flags) {
  cairn_run run = before_runs(first, count);
  while (next_run(chunks, first, &run)) {
    cairn_chunk chunk = chunks[run.chunk];
    const cairn_byte *source = (const cairn_byte *)chunk.source;
    const cairn_byte *target = chunk.target == 0 ? source : (const cairn_byte *)chunk.target;
    unsigned all = COMPARE_NOT_ZERO | (chunk.target == 0 ? 0 : COMPARE_DIFFERS);
    unsigned known = *(volatile unsigned *)&flags[run.chunk];
    unsigned seen = known;
    cairn_u64 at = run.from + CAIRN_THREAD * 16ull;
    for (; at + 16 <= run.to && seen != all; at += COMPARE_STRIDE_BYTES) {
      seen |= compare_units(source + at, target + at);
    }
    at = run.to - run.to % 16 + CAIRN_THREAD;
    if (at < run.to) {
      seen |= compare_words(source[at], target[at]);
    }
    if (seen != known) {
      CAIRN_ATOMIC_OR(&flags[run.chunk], seen);
    }
  }
}
