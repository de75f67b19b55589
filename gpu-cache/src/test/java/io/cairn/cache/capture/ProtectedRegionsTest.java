package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtectedRegionsTest {
  private static final int CHUNK_BYTES = 16;
  private static final ErrorBound BOUND = ErrorBound.absolute(0.5);

  private final DelayedDevice device = new DelayedDevice(64, 1);
  private final ProtectedRegions regions = new ProtectedRegions(device, CHUNK_BYTES);

  @Test
  void aNameIsProtectedOnce() {
    regions.protect(Region.of("weights", new float[4]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("weights", new float[5])))
        .withMessage("region weights is protected already");
  }

  @Test
  void memoryIsProtectedOnce() {
    float[] array = new float[4];
    ByteBuffer direct = ByteBuffer.allocateDirect(100);
    regions.protect(Region.of("weights", array));
    regions.protect(Region.of("state", direct.slice(0, 50)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("again", array)))
        .withMessageContaining("again shares memory with region weights");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("tail", direct.slice(49, 51))))
        .withMessageContaining("tail shares memory with region state");
    regions.protect(Region.of("tail", direct.slice(50, 50)));
  }

  @Test
  void movedMemoryIsCapturedAndRestoredInItsNewPlace() throws IOException {
    float[] old = {1, 2};
    float[] moved = {3, 4};
    regions.protect(Region.of("weights", old));
    regions.relocate(Region.of("weights", moved));

    List<RegionImage> images = List.of(image("weights", new byte[8]));
    regions.restore(
        images, (region, chunk, into) -> into.put(new byte[8]), ByteBuffer.allocate(64));

    assertThat(moved).containsExactly(0, 0);
    assertThat(old).containsExactly(1, 2);
  }

  @Test
  void onlyAProtectedRegionOfTheSameLengthMoves() {
    float[] bias = new float[2];
    regions.protect(Region.of("weights", new float[4]));
    regions.protect(Region.of("bias", bias));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.relocate(Region.of("state", new float[4])))
        .withMessage("region state is not protected");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.relocate(Region.of("weights", new float[5])))
        .withMessageContaining("weights has 20 bytes in its new place and 16 in its old one");
    regions.protect(Region.of("all", new float[2]));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.relocate(Region.of("all", bias)))
        .withMessageContaining("all shares memory with region bias");
    regions.relocate(Region.of("bias", bias));
  }

  @Test
  void aProgramIsDescribedByTheKindsOfItsRegions() {
    regions.protect(Region.of("array", new double[100]));
    regions.protect(Region.of("buffer", ByteBuffer.allocateDirect(80)));
    regions.protect(Region.of("rng", () -> new byte[3], bytes -> {}));
    regions.describe("data", "mnist");

    assertThat(regions.program().entries())
        .containsEntry("region.array", "double[100]")
        .containsEntry("region.buffer", "byte[80]")
        .containsEntry("region.rng", "blob")
        .containsEntry("data", "mnist")
        .hasSize(4);
  }

  @Test
  void aProgramIsDescribedByTheOptionsOfItsRegions() {
    RegionOptions zstd = RegionOptions.DEFAULT.withCompression(Compression.SHUFFLE_ZSTD);
    regions.protect(Region.of("array", new double[100]), zstd);
    regions.protect(Region.of("plain", new double[100]));
    regions.relocate(Region.of("array", new double[100]));

    assertThat(regions.program().entries())
        .containsEntry("codec.array", "shuffle-zstd")
        .doesNotContainKey("codec.plain");
  }

  @Test
  void optionsNeedNoMoreRoomThanAManifestHas() {
    RegionOptions lz4 = RegionOptions.DEFAULT.withCompression(Compression.LZ4);
    for (int k = 0; k < 32; k++) {
      regions.protect(Region.of("r" + k, new int[1]), lz4);
    }
    regions.describe("data", "mnist");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("one-more", new int[1]), lz4))
        .withMessageContaining("region one-more: a rank's regions have more than 32 options");
    regions.protect(Region.of("one-more", new int[1]));
    assertThat(regions.program().entries()).hasSize(34);
  }

  @Test
  void namesOfOptionsAreReserved() {
    for (String name : List.of("codec.array", "lossy.array")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> regions.describe(name, "zstd"))
          .withMessageContaining("entry " + name);
    }
  }

  @Test
  void aLossyRegionIsDescribedByElementAndBound() {
    double[] values = {1, 2, 3};
    regions.protect(Region.of("floats", new float[6]), lossy(ErrorBound.absolute(0.001)));
    regions.protect(
        Region.resizable("doubles", () -> values, bytes -> {}), lossy(ErrorBound.relative(0.01)));
    regions.protect(Region.of("native", 4096, 24, this, "float[2, 3] f"), lossy(BOUND));

    assertThat(regions.program().entries())
        .containsEntry("lossy.floats", "float within 0.001")
        .containsEntry("lossy.doubles", "double within 0.01 of each value")
        .containsEntry("lossy.native", "float within 0.5");
  }

  @Test
  void onlyFloatsAndDoublesAreLossy() {
    List<Region> others =
        List.of(
            Region.of("r", new int[4]),
            Region.of("r", new long[4]),
            Region.of("r", ByteBuffer.allocateDirect(16)),
            Region.of("r", 4096, 16, this),
            Region.of("r", 4096, 16, this, "half[8]"),
            Region.of("r", 4096, 18, this, "float[4]"),
            Region.of("r", () -> new byte[16], bytes -> {}));
    for (Region other : others) {
      assertThatIllegalArgumentException()
          .as(other.toString())
          .isThrownBy(() -> regions.protect(other, lossy(BOUND)))
          .withMessageContaining("region r cannot be lossy")
          .withMessageContaining("Protect a float[]");
    }
    regions.protect(Region.of("r", new float[4]), lossy(BOUND));
  }

  private static RegionOptions lossy(ErrorBound bound) {
    return RegionOptions.DEFAULT.withLoss(bound);
  }

  @Test
  void namesOfFactsAboutCheckpointsAreReserved() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.describe("checkpoint.score", "1"))
        .withMessageContaining("names that begin with checkpoint. describe checkpoints");
  }

  @Test
  void manyRegionsAreDescribedByOneDigest() {
    for (int k = 0; k < 17; k++) {
      regions.protect(Region.of("r" + k, new int[k]));
    }

    assertThat(regions.program().entries()).containsOnlyKeys("regions");
    assertThat(regions.program().entries().get("regions")).startsWith("17, sha256 ");
  }

  @Test
  void unsupportedMemoryIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("names", new String[1])))
        .withMessageContaining("region names: java.lang.String[] cannot be captured")
        .withMessageContaining("float");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -8, 12})
  void chunksAreWholeLongs(int chunkBytes) {
    assertThatIllegalArgumentException().isThrownBy(() -> new ProtectedRegions(device, chunkBytes));
  }

  @Test
  void aSnapshotAsksEachBlobOnceAndFreezesItsSize() {
    AtomicInteger asked = new AtomicInteger();
    Supplier<byte[]> save = () -> new byte[10 * asked.incrementAndGet()];
    regions.protect(Region.of("rng", save, bytes -> {}));
    regions.protect(Region.of("none", new int[0]));
    Snapshot first = regions.snapshot();
    assertThat(asked).hasValue(1);
    assertThat(first.bytes()).isEqualTo(10);
    assertThat(first.chunks()).isEqualTo(1);
    Snapshot second = regions.snapshot();
    assertThat(second.bytes()).isEqualTo(20);
    assertThat(second.chunks()).isEqualTo(2);
    assertThat(asked).hasValue(2);
  }

  @Test
  @SuppressWarnings("NullAway") // an application may break the rule
  void aBlobThatGivesNullIsNamed() {
    regions.protect(Region.of("rng", () -> null, bytes -> {}));
    assertThatIllegalStateException()
        .isThrownBy(regions::snapshot)
        .withMessageContaining("region rng");
  }

  @Test
  void anotherShapeIsRefusedBeforeAnythingIsRead() {
    float[] weights = {1, 2, 3, 4};
    regions.protect(Region.of("weights", weights));
    regions.protect(Region.of("rng", () -> new byte[3], bytes -> weights[0] = -1));
    RegionImage rng = image("rng", new byte[7]);
    refused(List.of(image("weights", new byte[20]), rng), "weights", "20 bytes", "16 bytes");
    refused(List.of(image("weights", new byte[16])), "[weights]", "[weights, rng]");
    refused(List.of(image("weights", new byte[16]), image("bias", new byte[7])), "bias", "rng");
    refused(List.of(image("weights", new byte[16]), rng, image("x", new byte[1])), "x", "rng");
    refused(List.of(rng, rng), "[rng, rng]", "[weights, rng]");
    assertThat(weights).containsExactly(1, 2, 3, 4);
  }

  private void refused(List<RegionImage> images, String... parts) {
    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(() -> regions.checkShape(images, "job/g e1-i5 at NODE"))
        .withMessageContaining("job/g e1-i5 at NODE")
        .withMessageContainingAll(parts);
    ChunkReader untouched =
        (region, chunk, into) -> {
          throw new AssertionError("read before the shape was checked");
        };
    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(() -> regions.restore(images, untouched, ByteBuffer.allocate(64)));
  }

  @Test
  void restoresWhateverTheOrderAndTheChunkLength() throws Exception {
    byte[] first = new byte[20];
    ByteBuffer second = ByteBuffer.allocateDirect(40);
    List<byte[]> loaded = new ArrayList<>();
    regions.protect(Region.of("first", first));
    regions.protect(Region.of("second", second));
    regions.protect(Region.of("blob", () -> new byte[0], loaded::add));
    byte[] a = bytes(20, 1);
    byte[] b = bytes(40, 2);
    byte[] c = bytes(33, 3);
    List<RegionImage> images = List.of(image("blob", c), image("second", b), image("first", a));
    long restored = regions.restore(images, reader(c, b, a), ByteBuffer.allocate(CHUNK_BYTES));
    assertThat(restored).isEqualTo(93);
    assertThat(first).isEqualTo(a);
    byte[] found = new byte[40];
    second.get(0, found);
    assertThat(found).isEqualTo(b);
    assertThat(loaded).singleElement().isEqualTo(c);
  }

  @Test
  void aChunkThatDoesNotVerifyIsNamedAndNoBlobIsLoaded() {
    byte[] target = new byte[40];
    List<byte[]> loaded = new ArrayList<>();
    regions.protect(Region.of("blob", () -> new byte[0], loaded::add));
    regions.protect(Region.of("weights", target));
    byte[] good = bytes(40, 5);
    byte[] bad = good.clone();
    bad[20] ^= 4;
    List<RegionImage> images = List.of(image("blob", bytes(4, 1)), image("weights", good));
    assertThatIOException()
        .isThrownBy(
            () -> regions.restore(images, reader(bytes(4, 1), bad), ByteBuffer.allocate(16)))
        .withMessageContaining("region weights, chunk 1")
        .withMessageContaining(String.format(Locale.ROOT, "%08x expected", crc(good, 16, 16)))
        .withMessageContaining(String.format(Locale.ROOT, "%08x found", crc(bad, 16, 16)));
    assertThat(loaded).isEmpty();
    assertThat(Arrays.copyOfRange(target, 16, 32)).as("the bad chunk").containsOnly(0);
  }

  @Test
  void severalReadersRestoreAPartEach() throws IOException {
    byte[] saved = bytes(100, 5);
    byte[] target = new byte[100];
    regions.protect(Region.of("weights", target));
    List<ChunkReader> readers = Collections.nCopies(3, reader(saved));

    long restored =
        regions.restore(List.of(image("weights", saved)), readers, ByteBuffer.allocate(16));

    assertThat(restored).isEqualTo(100);
    assertThat(target).isEqualTo(saved);
  }

  /** Such as the one that verified the chunks before the group agreed. */
  @Test
  void aReaderThatVerifiesIsNotCheckedAgain() throws IOException {
    byte[] saved = bytes(40, 5);
    byte[] target = new byte[40];
    regions.protect(Region.of("weights", target));
    ChunkReader verifying =
        new ChunkReader() {
          @Override
          public void read(int region, int chunk, ByteBuffer into) throws IOException {
            reader(saved).read(region, chunk, into);
          }

          @Override
          public boolean verifies() {
            return true;
          }
        };

    regions.restore(List.of(image("weights", bytes(40, 6))), verifying, ByteBuffer.allocate(16));

    assertThat(target).isEqualTo(saved);
  }

  @Test
  void aReaderThatFillsTooLittleIsFound() {
    regions.protect(Region.of("weights", new byte[8]));
    ChunkReader lazy = (region, chunk, into) -> into.put((byte) 0);
    assertThatIOException()
        .isThrownBy(
            () ->
                regions.restore(
                    List.of(image("weights", new byte[8])), lazy, ByteBuffer.allocate(16)))
        .withMessageContaining("1 bytes of 8");
  }

  @Test
  void aStagingBufferThatIsTooShortIsRefusedFirst() {
    regions.protect(Region.of("weights", new byte[40]));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                regions.restore(
                    List.of(image("weights", new byte[40])),
                    reader(new byte[40]),
                    ByteBuffer.allocate(15)))
        .withMessageContaining("staging buffer of 15");
  }

  private static RegionImage image(String name, byte[] content) {
    int[] checksums = new int[RegionImage.chunks(content.length, CHUNK_BYTES)];
    for (int k = 0; k < checksums.length; k++) {
      int start = k * CHUNK_BYTES;
      checksums[k] = crc(content, start, Math.min(CHUNK_BYTES, content.length - start));
    }
    return new RegionImage(name, content.length, CHUNK_BYTES, checksums);
  }

  private static ChunkReader reader(byte[]... contents) {
    return new ChunkReader() {
      @Override
      public void read(int region, int chunk, ByteBuffer into) throws IOException {
        int start = chunk * CHUNK_BYTES;
        into.put(contents[region], start, Math.min(CHUNK_BYTES, contents[region].length - start));
      }
    };
  }

  private static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
