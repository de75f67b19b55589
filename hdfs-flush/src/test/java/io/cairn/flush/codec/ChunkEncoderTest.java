package io.cairn.flush.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class ChunkEncoderTest {
  private static final int CHUNK = 1 << 20;

  /** Advances by a step at each look, so that every attempt takes one step. */
  private static final class SteppingClock implements LongSupplier {
    private final long step;
    private long now;
    private int looks;

    SteppingClock(long step) {
      this.step = step;
    }

    @Override
    public long getAsLong() {
      looks++;
      now += step;
      return now;
    }
  }

  private final ByteBuffer weights = SampleBytes.WEIGHTS.direct(CHUNK, new SplittableRandom(1));
  private final ByteBuffer random = SampleBytes.RANDOM.direct(CHUNK, new SplittableRandom(2));

  private static ChunkEncoder adaptive(SteppingClock clock) throws IOException {
    return new ChunkEncoder(Compression.ADAPTIVE, CHUNK, clock);
  }

  @Test
  void beforeTheLinkIsMeasuredNothingIsCompressed() throws IOException {
    ChunkEncoder encoder = adaptive(new SteppingClock(1_000));

    assertThat(encoder.encode(0, weights)).isEqualTo(Encoding.RAW);
  }

  @Test
  void behindASlowLinkChunksAreCompressed() throws IOException {
    ChunkEncoder encoder = adaptive(new SteppingClock(100_000)); // 3 ns per byte of a sample
    encoder.sent(1_000_000, 100_000_000); // 100 ns per byte

    assertThat(encoder.encode(0, weights)).isEqualTo(Encoding.ZSTD_OF_4);
    assertThat(encoder.encoded().limit()).isLessThan(CHUNK * 15 / 16);
  }

  @Test
  void behindAFastLinkTheyAreNot() throws IOException {
    ChunkEncoder encoder = adaptive(new SteppingClock(100_000)); // 3 ns per byte of a sample
    encoder.sent(1_000_000, 500_000); // 0.5 ns per byte

    assertThat(encoder.encode(0, weights)).isEqualTo(Encoding.RAW);
  }

  @Test
  void aLinkThatSlowsDownIsNoticed() throws IOException {
    ChunkEncoder encoder = adaptive(new SteppingClock(100_000));
    encoder.sent(1_000_000, 500_000);
    encoder.encode(0, weights);

    for (int container = 0; container < 4; container++) {
      encoder.sent(1_000_000, 100_000_000);
    }
    encoder.begin();

    assertThat(encoder.encode(0, weights)).isEqualTo(Encoding.ZSTD_OF_4);
  }

  @Test
  void aRegionThatDoesNotShrinkIsSeldomTried() throws IOException {
    SteppingClock clock = new SteppingClock(1_000);
    ChunkEncoder encoder = adaptive(clock);
    encoder.sent(1_000_000, 100_000_000);

    for (int chunk = 0; chunk < 100; chunk++) {
      assertThat(encoder.encode(0, random)).isEqualTo(Encoding.RAW);
    }

    int tried = clock.looks / (2 * Encodings.of(Compression.ADAPTIVE).size());
    assertThat(tried).isBetween(2, 10);
  }

  @Test
  void theNextRegionIsTriedAtOnce() throws IOException {
    ChunkEncoder encoder = new ChunkEncoder(Compression.LZ4, CHUNK, () -> 0);
    ByteBuffer zeros = SampleBytes.ZEROS.direct(CHUNK, new SplittableRandom(3));
    for (int chunk = 0; chunk < 10; chunk++) {
      encoder.encode(0, random);
    }

    assertThat(encoder.encode(1, zeros)).isEqualTo(Encoding.LZ4);
  }

  @Test
  void anotherRankIsTriedAtOnce() throws IOException {
    ChunkEncoder encoder = new ChunkEncoder(Compression.LZ4, CHUNK, () -> 0);
    ByteBuffer zeros = SampleBytes.ZEROS.direct(CHUNK, new SplittableRandom(3));
    for (int chunk = 0; chunk < 10; chunk++) {
      encoder.encode(0, random);
    }

    encoder.begin();

    assertThat(encoder.encode(0, zeros)).isEqualTo(Encoding.LZ4);
  }

  /** The zeros lie where samples are taken, and are too few to matter. */
  @Test
  void aChunkWhoseSampleDeceivesIsStoredAsItIs() throws IOException {
    int piece = 4096;
    int step = (CHUNK - piece) / 7 / 8 * 8;
    for (int at = 0; at < CHUNK; at += step) {
      random.put(at, new byte[piece]);
    }

    ChunkEncoder encoder = new ChunkEncoder(Compression.ZSTD, CHUNK, () -> 0);

    assertThat(encoder.encode(0, random)).isEqualTo(Encoding.RAW);
    assertThat(encoder.encoded().limit()).as("the whole was tried").isGreaterThan(CHUNK * 15 / 16);
  }

  @Test
  void theChunkIsUnchanged() throws IOException {
    ByteBuffer before = ByteBuffer.allocate(CHUNK).put(0, weights, 0, CHUNK);

    new ChunkEncoder(Compression.SHUFFLE_ZSTD, CHUNK, () -> 0).encode(0, weights);

    assertThat(weights).isEqualTo(before);
  }
}
