/*
 * Divides spans into chunks: the host names a span, and the device writes the tables that the other
 * kernels read. So chunks that follow each other cost the host nothing each.
 */
#include "cairn.h"

/* Chunks that follow each other, 48 bytes. All but the last have one length; it may be shorter. */
typedef struct {
  cairn_u64 source; /* address */
  cairn_u64 target; /* address, or 0 */
  cairn_u64 bytes;  /* of all chunks */
  cairn_u64 chunk_bytes;
  unsigned chunks; /* 1 or more */
  unsigned chunk;  /* number of the first one */
  unsigned piece;  /* number of its first piece */
  unsigned unused;
} cairn_span;

CAIRN_DEVICE unsigned pieces_of(cairn_u64 bytes) {
  return (unsigned)((bytes + CAIRN_PIECE_BYTES - 1) / CAIRN_PIECE_BYTES);
}

/* chunks, first: the tables of the spans' chunks, whose numbers are without a gap. */
CAIRN_KERNEL(divide)
(const cairn_span *spans, unsigned count, cairn_chunk *chunks, unsigned *first) {
  for (unsigned i = CAIRN_BLOCK; i < count; i += CAIRN_BLOCKS) {
    cairn_span span = spans[i];
    unsigned pieces = pieces_of(span.chunk_bytes);
    for (unsigned j = CAIRN_THREAD; j < span.chunks; j += CAIRN_THREADS) {
      cairn_u64 at = j * span.chunk_bytes;
      cairn_u64 left = span.bytes - at;
      cairn_chunk chunk;
      chunk.source = span.source + at;
      chunk.target = span.target == 0 ? 0 : span.target + at;
      chunk.bytes = left < span.chunk_bytes ? left : span.chunk_bytes;
      chunks[span.chunk + j] = chunk;
      first[span.chunk + j] = span.piece + j * pieces;
      if (i == count - 1 && j == span.chunks - 1) {
        first[span.chunk + span.chunks] = span.piece + j * pieces + pieces_of(chunk.bytes);
      }
    }
  }
}
