package io.cairn.cache.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.Layout;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.layout.LayoutException;
import io.cairn.core.model.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReshapeTest {
  private static final RegionOptions REPLICATED =
      RegionOptions.DEFAULT.withLayout(Layout.replicated());

  private final DelayedDevice device = new DelayedDevice(64, 1);

  @AfterEach
  void close() {
    device.close();
  }

  /** A rank's box of an array of ints with two dimensions, divided along one of them. */
  private record Slice(int rows, int columns, boolean byRows, int rank, int size) {
    private int begin(boolean ofRows) {
      return ofRows == byRows ? (ofRows ? rows : columns) * rank / size : 0;
    }

    private int end(boolean ofRows) {
      int all = ofRows ? rows : columns;
      return ofRows == byRows ? all * (rank + 1) / size : all;
    }

    private int length(boolean ofRows) {
      return end(ofRows) - begin(ofRows);
    }

    RegionOptions options() {
      return RegionOptions.DEFAULT.withLayout(
          Layout.slice(
              new long[] {rows, columns},
              new long[] {begin(true), begin(false)},
              new long[] {length(true), length(false)}));
    }

    int[] zeros() {
      return new int[length(true) * length(false)];
    }

    /** Each element has the number of its place. */
    int[] elements() {
      int[] elements = zeros();
      for (int i = 0; i < elements.length; i++) {
        int row = begin(true) + i / length(false);
        elements[i] = row * columns + begin(false) + i % length(false);
      }
      return elements;
    }
  }

  private ProtectedRegions regions(Slice slice, int[] memory, byte[][] blob) {
    ProtectedRegions regions = new ProtectedRegions(device, 16);
    regions.protect(Region.of("w", memory), slice.options());
    regions.protect(Region.of("rate", () -> blob[0], bytes -> blob[0] = bytes), REPLICATED);
    return regions;
  }

  private SavedRank saved(Slice slice, int chunkBytes, byte... rate) {
    Fingerprint program = regions(slice, slice.zeros(), new byte[1][]).program();
    return new SavedRank(chunkBytes, program).with("w", slice.elements()).with("rate", rate);
  }

  private static List<Fingerprint> programs(List<SavedRank> saved) {
    return saved.stream().map(rank -> rank.program).toList();
  }

  private static void run(Reshape reshape, List<SavedRank> saved)
      throws IOException, LayoutException {
    ByteBuffer staging = ByteBuffer.allocateDirect(64);
    for (int rank : reshape.shares().keySet()) {
      SavedRank from = saved.get(rank);
      reshape.compareReplicas(rank, from.images());
      reshape.verify(rank, from.images(), from, staging);
      List<String> verified = List.copyOf(from.read());
      assertThat(verified).doesNotHaveDuplicates();
      from.read().clear();
      var unused = reshape.copy(rank, from.images(), from, staging);
      assertThat(from.read()).isEqualTo(verified);
      from.read().clear();
    }
    reshape.load();
  }

  /** Also with fewer elements than ranks, so that some have none. */
  @Test
  void everyElementComesToItsPlaceWhateverTheSplits() throws Exception {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      int rows = 1 + random.nextInt(9);
      int columns = 1 + random.nextInt(9);
      int chunkBytes = Long.BYTES * (1 + random.nextInt(8));
      int size = 1 + random.nextInt(5);
      boolean byRows = random.nextBoolean();
      List<SavedRank> saved = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        saved.add(saved(new Slice(rows, columns, byRows, rank, size), chunkBytes, (byte) seed));
      }
      int newSize = 1 + random.nextInt(5);
      boolean newByRows = random.nextBoolean();
      for (int rank = 0; rank < newSize; rank++) {
        Slice slice = new Slice(rows, columns, newByRows, rank, newSize);
        int[] memory = slice.zeros();
        byte[][] blob = {{}};
        ProtectedRegions regions = regions(slice, memory, blob);
        run(regions.reshape(rank, programs(saved), "it", Set.of()), saved);
        assertThat(memory).as("seed %d, rank %d", seed, rank).isEqualTo(slice.elements());
        assertThat(blob[0]).as("seed %d", seed).containsExactly((byte) seed);
      }
    }
  }

  @Test
  void onlyChunksWithWantedBytesAreRead() throws Exception {
    Slice all = new Slice(8, 4, true, 0, 1);
    List<SavedRank> saved = List.of(saved(all, 16));
    Slice last = new Slice(8, 4, true, 3, 4);
    Reshape reshape =
        regions(last, last.zeros(), new byte[][] {{}}).reshape(3, programs(saved), "it", Set.of());
    reshape.verify(0, saved.get(0).images(), saved.get(0), ByteBuffer.allocateDirect(16));
    assertThat(saved.get(0).read()).containsExactly("w 6", "w 7");
  }

  @Test
  void replicasThatDifferAreRefused() throws Exception {
    Slice top = new Slice(2, 2, true, 0, 2);
    Slice bottom = new Slice(2, 2, true, 1, 2);
    List<SavedRank> saved = List.of(saved(top, 16, (byte) 1), saved(bottom, 16, (byte) 2));
    Slice all = new Slice(2, 2, true, 0, 1);
    Reshape reshape =
        regions(all, all.zeros(), new byte[][] {{}}).reshape(0, programs(saved), "it", Set.of());
    assertThat(reshape.hasReplicas()).isTrue();
    reshape.compareReplicas(0, saved.get(0).images());
    assertThatExceptionOfType(LayoutException.class)
        .isThrownBy(() -> reshape.compareReplicas(1, saved.get(1).images()))
        .withMessageContaining("region rate")
        .withMessageContaining("ranks 0 and 1");
  }

  @Test
  void dataThatContradictsItsLayoutIsRefusedBeforeAnythingIsRead() {
    Slice all = new Slice(4, 4, true, 0, 1);
    SavedRank honest = saved(all, 16);
    int[] memory = all.zeros();
    Reshape reshape =
        regions(all, memory, new byte[][] {{}}).reshape(0, List.of(honest.program), "it", Set.of());
    refused(reshape, new SavedRank(16, honest.program).with("w", new int[15]), "60 bytes there");
    refused(reshape, new SavedRank(12, honest.program).with("w", new int[16]), "cut elements");
    refused(reshape, new SavedRank(16, honest.program).with("v", new int[16]), "[rate, v]");
    assertThat(memory).containsOnly(0);
  }

  private static void refused(Reshape reshape, SavedRank saved, String reason) {
    saved.with("rate", new byte[0]);
    assertThatExceptionOfType(LayoutException.class)
        .isThrownBy(() -> reshape.verify(0, saved.images(), saved, ByteBuffer.allocateDirect(16)))
        .withMessageContaining(reason);
    assertThat(saved.read()).isEmpty();
  }

  /** Also if the other group did not have it. */
  @Test
  void aRegionThatMayBeDroppedKeepsItsBytes() throws Exception {
    Slice all = new Slice(4, 4, true, 0, 1);
    Slice top = new Slice(4, 4, true, 0, 2);
    for (SavedRank saved :
        List.of(
            saved(all, 16, (byte) 7), saved(all, 16, (byte) 7).with("generator", new int[] {9}))) {
      int[] memory = top.zeros();
      int[] generator = {5};
      ProtectedRegions regions = regions(top, memory, new byte[1][]);
      regions.protect(
          Region.of("generator", generator),
          RegionOptions.DEFAULT.withLayout(Layout.perRankOrDropped()));
      assertThat(regions.layouts().droppable()).containsExactly("generator");
      assertThat(regions.layouts().lacking()).isEmpty();
      run(regions.reshape(0, programs(List.of(saved)), "it", Set.of()), List.of(saved));
      assertThat(memory).isEqualTo(top.elements());
      assertThat(generator).containsExactly(5);
    }
  }

  @Test
  void anotherProgramIsRefusedAndAnotherSplitIsNot() {
    Slice left = new Slice(4, 4, false, 0, 2);
    ProtectedRegions there = regions(left, left.zeros(), new byte[1][]);
    there.describe("data", "old");
    ProtectedRegions here = regions(left, left.zeros(), new byte[1][]);
    here.describe("data", "new");
    assertThat(here.layouts().slicedOtherwise(there::program)).isFalse();
    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(() -> here.reshape(0, List.of(there.program()), "it", Set.of()))
        .withMessageContaining("data is old there and new here");
    Slice top = new Slice(4, 4, true, 0, 2);
    ProtectedRegions byRows = regions(top, top.zeros(), new byte[1][]);
    assertThat(byRows.layouts().slicedOtherwise(there::program)).isTrue();
    assertThatExceptionOfType(RestoreException.class)
        .isThrownBy(() -> byRows.reshape(0, List.of(there.program()), "it", Set.of("data")))
        .withMessageContaining("no rank saved the elements at 0x2 of 2x2");
  }

  @Test
  void aLayoutThatDoesNotFitItsRegionIsRefusedAtProtection() {
    RegionOptions eight =
        RegionOptions.DEFAULT.withLayout(Layout.slice(new long[] {8}, new long[1], new long[] {8}));
    ProtectedRegions regions = new ProtectedRegions(device, 16);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("w", new float[7]), eight))
        .withMessageContaining("region w is float[7] of 28 bytes")
        .withMessageContaining("8 elements");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("w", new float[16]), eight))
        .withMessageContaining("float[16]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.protect(Region.of("b", () -> new byte[8], b -> {}), eight))
        .withMessageContaining("region b has no fixed length");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> regions.describe("layout.w", "replicated"));
    regions.protect(Region.of("w", new float[8]), eight);
    assertThat(regions.layouts().lacking()).isEmpty();
    assertThat(regions.program().entries()).containsEntry("layout.w", "slice float 8 at 0 of 8");
  }
}
