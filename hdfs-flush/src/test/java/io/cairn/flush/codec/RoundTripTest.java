package io.cairn.flush.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Compression;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RoundTripTest {
  private static final int MOST = 80_000;
  private static final List<SampleBytes> KINDS = List.of(SampleBytes.values());

  private final ChunkDecoder decoder = new ChunkDecoder();

  private ByteBuffer decoded(Encoding encoding, ByteBuffer encoded, ByteBuffer into)
      throws Exception {
    ByteBuffer stored = decoder.stored(encoded.limit()).put(0, encoded, 0, encoded.limit());
    decoder.decode(encoding, stored, into);
    assertThat(into.hasRemaining()).isFalse();
    return into.flip();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyChunkIsDecodedToItsLastBit(Compression compression) throws Exception {
    // a link as slow as this one makes every saving worth its time
    ChunkEncoder encoder = new ChunkEncoder(compression, MOST, System::nanoTime);
    encoder.sent(1, 1_000_000);
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 400; round++) {
      SampleBytes kind = KINDS.get(round % KINDS.size());
      int bytes = round < 40 ? round + 1 : 1 + random.nextInt(MOST);
      ByteBuffer chunk = kind.direct(bytes, random);
      ByteBuffer into =
          round % 2 == 0 ? ByteBuffer.allocate(bytes) : ByteBuffer.allocateDirect(bytes);

      Encoding encoding = encoder.encode(round, chunk);

      if (encoding != Encoding.RAW) {
        String what = "round " + round + ", " + kind + ", " + bytes + " bytes as " + encoding;
        assertThat(encoder.encoded().limit()).as(what).isLessThan(bytes);
        assertThat(decoded(encoding, encoder.encoded(), into)).as(what).isEqualTo(chunk);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void randomBytesAreStoredAsTheyAreAndZerosAreNot(Compression compression) throws Exception {
    ChunkEncoder encoder = new ChunkEncoder(compression, MOST, System::nanoTime);
    encoder.sent(1, 1_000_000);
    SplittableRandom random = new SplittableRandom(1);

    Encoding ofRandom = encoder.encode(0, SampleBytes.RANDOM.direct(MOST, random));
    Encoding ofZeros = encoder.encode(1, SampleBytes.ZEROS.direct(MOST, random));

    assertThat(ofRandom).isEqualTo(Encoding.RAW);
    assertThat(ofZeros).isNotEqualTo(Encoding.RAW);
    assertThat(encoder.encoded().limit()).isLessThan(MOST / 100);
  }

  @Test
  void theLengthOfTheElementsIsFoundInTheBytes() throws Exception {
    ChunkEncoder encoder = new ChunkEncoder(Compression.SHUFFLE_ZSTD, MOST, System::nanoTime);
    SplittableRandom random = new SplittableRandom(1);

    assertThat(encoder.encode(0, SampleBytes.WEIGHTS.direct(MOST, random)))
        .isEqualTo(Encoding.ZSTD_OF_4);
    assertThat(encoder.encode(1, SampleBytes.DOUBLES.direct(MOST, random)))
        .isEqualTo(Encoding.ZSTD_OF_8);
  }

  @Test
  void theNumbersOfTheFormatDoNotChange() {
    Set<Encoding> found = EnumSet.noneOf(Encoding.class);
    for (int number = -1; number < 10; number++) {
      Encoding.of(number).ifPresent(found::add);
    }

    assertThat(found).isEqualTo(EnumSet.allOf(Encoding.class));
    assertThat(Encoding.of(1)).contains(Encoding.LZ4);
    assertThat(Encoding.of(2)).contains(Encoding.ZSTD);
    assertThat(Encoding.of(5)).contains(Encoding.ZSTD_OF_8);
    for (Encoding each : Encoding.values()) {
      assertThat(Encoding.of(each.number())).contains(each);
    }
  }
}
