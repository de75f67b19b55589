package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** The tables that the device makes of spans, against a plain loop. */
class DivideKernelTest {
  private static final int SPAN_BYTES = 48;
  private static final int CHUNK_BYTES = 24;

  private record Span(long source, long target, long bytes, long chunkBytes, int chunks) {}

  private static Span span(Random random) {
    long chunkBytes = random.nextInt(6) == 0 ? 0 : 1 + random.nextInt(200_000);
    int chunks = chunkBytes == 0 ? 1 : 1 + random.nextInt(random.nextInt(4) == 0 ? 1300 : 5);
    long last = chunkBytes == 0 ? 0 : 1 + random.nextLong(chunkBytes);
    long target = random.nextInt(3) == 0 ? 0 : random.nextLong(1L << 45);
    return new Span(
        random.nextLong(1L << 45), target, (chunks - 1) * chunkBytes + last, chunkBytes, chunks);
  }

  @RepeatedTest(40)
  void everyChunkGetsItsRow(RepetitionInfo repetition) {
    int seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    Kernels.seed(seed);
    List<Span> spans = new ArrayList<>();
    for (int i = 1 + random.nextInt(7); i > 0; i--) {
      spans.add(span(random));
    }
    int chunks = spans.stream().mapToInt(Span::chunks).sum();
    byte[] spanRows = new byte[spans.size() * SPAN_BYTES];
    byte[] chunkRows = new byte[chunks * CHUNK_BYTES];
    byte[] firstPieces = new byte[(chunks + 1) * Integer.BYTES];
    ByteBuffer rows = words(spanRows);
    ByteBuffer expected = words(chunkRows);
    ByteBuffer firsts = words(firstPieces);
    int pieces = 0;
    int number = 0;
    for (Span span : spans) {
      rows.putLong(span.source).putLong(span.target).putLong(span.bytes).putLong(span.chunkBytes);
      rows.putInt(span.chunks).putInt(number).putInt(pieces).putInt(0);
      number += span.chunks;
      pieces = divide(span, expected, firsts, pieces);
    }
    firsts.putInt(pieces);
    try (GuardedMemory table = GuardedMemory.atEnd(spanRows.length).put(spanRows);
        GuardedMemory found = GuardedMemory.shifted(chunkRows.length, 8);
        GuardedMemory first = GuardedMemory.shifted(firstPieces.length, 4)) {
      int code =
          Kernels.launch(
              "cairn_divide",
              1 + random.nextInt(9),
              table.address(),
              spans.size(),
              found.address(),
              first.address());

      assertThat(code).as("seed %d", seed).isZero();
      assertThat(found.get()).as("seed %d, %s", seed, spans).isEqualTo(chunkRows);
      assertThat(first.get()).as("seed %d, %s", seed, spans).isEqualTo(firstPieces);
      found.assertNothingBesideItChanged("the chunks");
      first.assertNothingBesideItChanged("the first pieces");
    }
  }

  /** Appends the rows of a span; returns the number of pieces so far. */
  private static int divide(Span span, ByteBuffer chunks, ByteBuffer firsts, int piecesBefore) {
    int pieces = piecesBefore;
    long left = span.bytes;
    for (int i = 0; i < span.chunks; i++) {
      long at = span.bytes - left;
      long bytes = Math.min(left, span.chunkBytes);
      chunks.putLong(span.source + at).putLong(span.target == 0 ? 0 : span.target + at);
      chunks.putLong(bytes);
      firsts.putInt(pieces);
      pieces += (int) ((bytes + Kernels.PIECE_BYTES - 1) / Kernels.PIECE_BYTES);
      left -= bytes;
    }
    return pieces;
  }

  private static ByteBuffer words(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
