package io.cairn.flush.restore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.CheckpointId;
import io.cairn.ErrorBound;
import io.cairn.GroupId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.codec.BitRounding;
import io.cairn.flush.format.HeldReader;
import io.cairn.flush.format.SampleRank;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A copy of two regions, of which the second is lossy. */
class RoundedChunksTest {
  private static final int CHUNK = 64;
  private static final Fingerprint LOSSY = Fingerprint.NONE.with("lossy.r1", "float within 0.01");
  private static final CheckpointId OLDER = new CheckpointId(new GroupId("job", "group"), 1, 7);

  private final SampleRank exact = sample();
  private final AtomicInteger closed = new AtomicInteger();

  private static SampleRank sample() {
    SplittableRandom random = new SplittableRandom(3);
    byte[][] contents = {new byte[200], new byte[200]};
    for (byte[] content : contents) {
      for (int at = 0; at < content.length; at += Float.BYTES) {
        float number = (float) random.nextDouble();
        ByteBuffer.wrap(content).order(ByteOrder.nativeOrder()).putFloat(at, number);
      }
    }
    return SampleRank.of(0, CHUNK, contents);
  }

  private Copy copy(Fingerprint program, ChunkReader reader) {
    return new Copy("here", exact.images(), program, reader, closed::incrementAndGet);
  }

  private static Copy rounded(Copy copy) throws IOException {
    return RoundedChunks.of(copy, new StagingBuffer());
  }

  private SampleRank expected() {
    byte[] rounded = exact.contents().get(1).clone();
    BitRounding.of(false, ErrorBound.absolute(0.01))
        .round(ByteBuffer.wrap(rounded), 0, rounded.length);
    return SampleRank.of(0, CHUNK, exact.contents().get(0), rounded);
  }

  @Test
  void itsImagesAreThoseOfTheRoundedBytes() throws IOException {
    byte[] before = exact.contents().get(1).clone();

    Copy rounded = rounded(copy(LOSSY, exact.reader()));

    assertThat(rounded.images()).isEqualTo(expected().images()).isNotEqualTo(exact.images());
    List<byte[]> read = SampleRank.readAll(rounded.images(), rounded.reader());
    assertThat(read.get(0)).isEqualTo(exact.contents().get(0));
    assertThat(read.get(1)).isEqualTo(expected().contents().get(1));
    assertThat(exact.contents().get(1)).isEqualTo(before);
    assertThat(closed).hasValue(0);
    rounded.close();
    assertThat(closed).hasValue(1);
  }

  @Test
  void aRoundedCopyIsRoundedToItself() throws IOException {
    SampleRank once = expected();
    Copy copy = new Copy("here", once.images(), LOSSY, once.reader(), () -> {});

    assertThat(rounded(copy).images()).isEqualTo(once.images());
  }

  @Test
  void withoutALossyRegionItIsTheCopyItself() throws IOException {
    Copy copy = copy(Fingerprint.NONE.with("codec.r1", "zstd"), exact.reader());

    assertThat(rounded(copy)).isSameAs(copy);
  }

  @Test
  void aDamagedChunkIsNotRoundedIntoAGoodOne() {
    ChunkReader damaged =
        (region, chunk, into) -> {
          exact.reader().read(region, chunk, into);
          if (region == 1 && chunk == 2) {
            // the last bit of a mantissa, which rounding would hide
            into.put(into.position() - 4, (byte) (into.get(into.position() - 4) ^ 1));
          }
        };

    assertThatIOException()
        .isThrownBy(() -> rounded(copy(LOSSY, damaged)))
        .withMessageContaining("region r1, chunk 2 of 4 has CRC32C");
    assertThat(closed).hasValue(1);
  }

  @Test
  void anEntryOfAnotherFormIsRefusedByName() {
    for (String value : List.of("half within 0.01", "float", "float within x", "float to 0.1")) {
      Fingerprint strange = Fingerprint.NONE.with("lossy.r1", value);

      assertThatIOException().as(value).isThrownBy(() -> rounded(copy(strange, exact.reader())));
    }
    assertThat(closed).hasValue(4);
  }

  /** A source that knows hashes, compares, and shows its memory. */
  private ChunkReader capable() {
    return new ChunkReader() {
      @Override
      public void read(int region, int chunk, ByteBuffer into) throws IOException {
        exact.reader().read(region, chunk, into);
      }

      @Override
      public Optional<ContentHash> hash(int region, int chunk) {
        return Optional.of(new ContentHash(1, 2));
      }

      @Override
      public Optional<MappedBytes> inPlace(int region, int chunk) {
        return Optional.of(
            new MappedBytes() {
              @Override
              public ByteBuffer buffer() {
                return ByteBuffer.allocateDirect(CHUNK);
              }

              @Override
              public void close() {}
            });
      }

      @Override
      public Optional<HeldBytes> held(int region, int chunk) {
        return new HeldReader(SampleRank.small(0, 0)).held(region, chunk);
      }

      @Override
      public boolean equalsOlder(CheckpointId older, int region, int chunk) {
        return true;
      }
    };
  }

  @Test
  void theExactBytesOfALossyRegionAreNeverSeen() throws IOException {
    ChunkReader rounded = rounded(copy(LOSSY, capable())).reader();

    assertThat(rounded.hash(0, 0)).isPresent();
    assertThat(rounded.inPlace(0, 0)).isPresent();
    assertThat(rounded.held(0, 0).isPresent()).isTrue();
    assertThat(rounded.equalsOlder(OLDER, 0, 0)).isTrue();
    assertThat(rounded.hash(1, 0)).isEmpty();
    assertThat(rounded.inPlace(1, 0)).isEmpty();
    assertThat(rounded.held(1, 0).isPresent()).isFalse();
    assertThat(rounded.equalsOlder(OLDER, 1, 0)).isFalse();
  }

  @Test
  void aReadUnderWayIsRoundedOnceItHasArrived() throws IOException {
    ByteBuffer into = ByteBuffer.allocateDirect(CHUNK);
    ChunkReader rounded = rounded(copy(LOSSY, exact.reader())).reader();

    ChunkReader.Reading reading = rounded.start(1, 0, into);
    reading.await();
    reading.await();

    byte[] read = new byte[CHUNK];
    into.flip().get(read);
    assertThat(read).isEqualTo(Arrays.copyOf(expected().contents().get(1), CHUNK));
  }
}
