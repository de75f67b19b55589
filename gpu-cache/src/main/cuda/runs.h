/*
 * The share of a block in the work of a launch. All pieces of all chunks are numbered in order, and
 * each block takes an equal share of consecutive ones. The part of a share that lies in one chunk
 * is a run. So short and long chunks are shared fairly, and a block begins few chunks anew.
 */
#ifndef CAIRN_RUNS_H
#define CAIRN_RUNS_H

#include "cairn.h"

typedef struct {
  unsigned chunk; /* index */
  cairn_u64 from; /* first byte of the run in the chunk */
  cairn_u64 to;   /* the byte after its last */
  unsigned next;  /* piece after the run */
  unsigned end;   /* piece after the block's share */
} cairn_run;

/* The chunk of a piece: the only one with first[chunk] <= piece < first[chunk + 1]. */
CAIRN_DEVICE unsigned chunk_of(const unsigned *first, unsigned count, unsigned piece) {
  unsigned low = 0;
  unsigned high = count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    if (first[middle + 1] <= piece) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The first piece of a block's share. That of the block after the last one is the number of pieces. */
CAIRN_DEVICE unsigned share_begin(const unsigned *first, unsigned count, unsigned block) {
  return (unsigned)((cairn_u64)first[count] * block / CAIRN_BLOCKS);
}

/* Continues with the next run. False after the last one. */
CAIRN_DEVICE int next_run(
    const cairn_chunk *chunks, const unsigned *first, cairn_run *run) {
  unsigned piece = run->next;
  unsigned stop;
  if (piece >= run->end) {
    return 0;
  }
  while (first[run->chunk + 1] <= piece) {
    run->chunk++;
  }
  stop = first[run->chunk + 1];
  run->next = stop < run->end ? stop : run->end;
  run->from = (piece - first[run->chunk]) * CAIRN_PIECE_BYTES;
  run->to = (run->next - first[run->chunk]) * CAIRN_PIECE_BYTES;
  if (run->to > chunks[run->chunk].bytes) {
    run->to = chunks[run->chunk].bytes;
  }
  return 1;
}

/* The state before a block's first run. */
CAIRN_DEVICE cairn_run before_runs(const unsigned *first, unsigned count) {
  cairn_run run;
  run.next = share_begin(first, count, CAIRN_BLOCK);
  run.end = share_begin(first, count, CAIRN_BLOCK + 1);
  run.chunk = chunk_of(first, count, run.next);
  run.from = 0;
  run.to = 0;
  return run;
}

#endif
