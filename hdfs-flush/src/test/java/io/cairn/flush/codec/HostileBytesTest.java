package io.cairn.flush.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that no writer wrote, given to the decoders as if their checksum had matched. */
class HostileBytesTest {
  private static final int CHUNK = 6_000;
  private static final int GUARD = 64;
  private static final byte UNTOUCHED = 0x5a;

  private final ChunkDecoder decoder = new ChunkDecoder();

  private static byte[] encoded(Encoding encoding, ByteBuffer chunk) throws Exception {
    try (Codec codec = encoding.method().orElseThrow().open()) {
      ByteBuffer planes = ByteBuffer.allocateDirect(CHUNK);
      ByteShuffle.shuffle(chunk, CHUNK, encoding.elementBytes(), planes);
      ByteBuffer into = ByteBuffer.allocateDirect(2 * codec.mostCompressed(CHUNK));
      int part = CHUNK / encoding.elementBytes();
      int length = 0;
      for (int at = 0; at < CHUNK; at += part) {
        length += codec.compress(planes, at, part, into, length);
      }
      byte[] bytes = new byte[length];
      into.get(0, bytes);
      return bytes;
    }
  }

  /** Whether it was refused; if not, nothing but the chunk's own space was written. */
  private boolean isRefused(Encoding encoding, byte[] bytes, int length, boolean direct)
      throws Exception {
    int room = CHUNK + 2 * GUARD;
    ByteBuffer into = direct ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
    for (int i = 0; i < room; i++) {
      into.put(i, UNTOUCHED);
    }
    boolean refused = false;
    try {
      decoder.decode(
          encoding,
          decoder.stored(length).put(0, bytes, 0, length),
          into.position(GUARD).limit(GUARD + CHUNK));
    } catch (DataFormatException e) {
      refused = true;
    }
    into.clear();
    for (int i = 0; i < GUARD; i++) {
      assertThat(into.get(i)).isEqualTo(UNTOUCHED);
      assertThat(into.get(room - 1 - i)).isEqualTo(UNTOUCHED);
    }
    return refused;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RAW")
  void everyTruncationIsRefused(Encoding encoding) throws Exception {
    ByteBuffer chunk = SampleBytes.WEIGHTS.direct(CHUNK, new SplittableRandom(1));
    byte[] whole = encoded(encoding, chunk);

    for (int length = 0; length < whole.length; length++) {
      assertThat(isRefused(encoding, whole, length, length % 2 == 0))
          .as("%d bytes", length)
          .isTrue();
    }
    assertThat(isRefused(encoding, whole, whole.length, true)).isFalse();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RAW")
  void damagedBytesAreRefusedOrDecodedWithinTheChunkAndNothingElse(Encoding encoding)
      throws Exception {
    SplittableRandom random = new SplittableRandom(encoding.number());
    byte[] whole = encoded(encoding, SampleBytes.INTEGERS.direct(CHUNK, random));
    int refused = 0;
    for (int round = 0; round < 3_000; round++) {
      byte[] damaged = whole.clone();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      refused += isRefused(encoding, damaged, damaged.length, round % 2 == 0) ? 1 : 0;
    }
    assertThat(refused).isPositive();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RAW")
  void arbitraryBytesDoNoHarm(Encoding encoding) throws Exception {
    SplittableRandom random = new SplittableRandom(100 + encoding.number());
    for (int round = 0; round < 3_000; round++) {
      byte[] bytes = new byte[1 + random.nextInt(200)];
      random.nextBytes(bytes);
      if (round % 2 == 0 && bytes.length >= 4) {
        ByteBuffer.wrap(bytes).putInt(0x28B52FFD); // the magic of Zstandard
      }
      isRefused(encoding, bytes, bytes.length, round % 3 == 0);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RAW")
  void aChunkOfAnotherLengthIsRefused(Encoding encoding) throws Exception {
    byte[] whole = encoded(encoding, SampleBytes.ZEROS.direct(CHUNK, new SplittableRandom(1)));

    for (int room : new int[] {0, 1, CHUNK - 1, CHUNK + 1, 2 * CHUNK}) {
      ByteBuffer stored = decoder.stored(whole.length).put(0, whole);
      assertThatThrownBy(() -> decoder.decode(encoding, stored, ByteBuffer.allocateDirect(room)))
          .as("%d bytes", room)
          .isInstanceOf(DataFormatException.class);
    }
  }

  @Test
  void aFrameThatAnnouncesTerabytesIsRefused() {
    // magic; one segment, a content size of 8 bytes; 2^62 bytes; a last block of 1 raw byte
    byte[] frame = {
      0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, (byte) 0xE0, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x09, 0, 0, 7
    };
    ByteBuffer stored = decoder.stored(frame.length).put(0, frame);

    assertThatThrownBy(
            () -> decoder.decode(Encoding.ZSTD, stored, ByteBuffer.allocateDirect(CHUNK)))
        .isInstanceOf(DataFormatException.class);
  }

  @Test
  void aFrameOfAnEarlyVersionIsRefused() {
    byte[] frame = {0x27, (byte) 0xB5, 0x2F, (byte) 0xFD, 0, 0, 0, 0};
    ByteBuffer stored = decoder.stored(frame.length).put(0, frame);

    assertThatThrownBy(
            () -> decoder.decode(Encoding.ZSTD, stored, ByteBuffer.allocateDirect(CHUNK)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("magic");
  }
}
