package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.format.Base;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.Leaning;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.PartsWriter;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Examination;
import io.cairn.flush.restore.Plan;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.restore.StoreRepair;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checkpoints in a store whose ranks were written in parts: committed, lost, repaired, deleted. */
class PartedCheckpointsTest {
  private static final Member MEMBER = new Member(Written.GROUP, 0, 1);
  private static final int PARTS = 3;

  private final MemoryStore store = new MemoryStore("store");
  private final PartsWriter writer = new PartsWriter(() -> new ContainerWriter(64));

  private CheckpointManifest write(MemoryStore to, CheckpointId id, SampleRank sample)
      throws IOException {
    List<ContainerSummary> containers =
        writer.write(to, id, 1, sample.chunks(), copies(sample, PARTS));
    return Written.manifest(id, 1, Ancestry.NONE, containers);
  }

  private CheckpointManifest sealed(CheckpointId id) throws IOException {
    CheckpointManifest manifest = write(store, id, Written.sample(id, 0));
    Inventory.requireContainers(store, manifest);
    Repairable.publish(store, manifest, StoreNames.MANIFEST);
    return manifest;
  }

  private static String path(CheckpointManifest manifest, int part) {
    return StoreNames.file(manifest.id(), manifest.containers().get(part).file());
  }

  @Test
  void aManifestThatLacksAPartIsNotCommitted() throws IOException {
    CheckpointManifest whole = write(store, Written.id(1, 1), Written.sample(Written.id(1, 1), 0));
    CheckpointManifest lacking =
        Written.manifest(whole.id(), 1, Ancestry.NONE, whole.containers().subList(0, 2));

    assertThatThrownBy(() -> Inventory.requireContainers(store, lacking))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("rank 0 has 2 containers")
        .hasMessageContaining("each of its 3 parts");
    Inventory.requireContainers(store, whole);
  }

  @Test
  void theLengthOfEachPartIsCompared() throws IOException {
    for (int part = 0; part < PARTS; part++) {
      CheckpointId id = Written.id(1, part);
      CheckpointManifest manifest = write(store, id, Written.sample(id, 0));
      byte[] bytes = store.content(path(manifest, part));
      store.files.put(path(manifest, part), Arrays.copyOf(bytes, bytes.length - 1));

      assertThatThrownBy(() -> Inventory.requireContainers(store, manifest))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("part" + part + "of3.chunks of " + bytes.length + " bytes");
    }
  }

  private Verification restore() {
    RestorePlanner planner = new RestorePlanner(List.of(new StoreCopies(store, Level.STORE)));
    Plan plan = planner.candidates(MEMBER);
    return planner.verify(plan.choices().get(0).id(), MEMBER, new StagingBuffer());
  }

  /** A process that dies between two parts leaves no manifest. */
  @Test
  void partsWithoutAManifestMeanNothing() throws IOException {
    sealed(Written.id(1, 1));
    CheckpointManifest next = write(store, Written.id(1, 2), Written.sample(Written.id(1, 2), 0));
    store.delete(path(next, 2));

    assertThat(Inventory.list(store, Written.GROUP).unfinished()).containsExactly(next.id());
    assertThat(restore()).isInstanceOf(VerifiedCopy.class);
    assertThat(restore().id()).isEqualTo(Written.id(1, 1));
  }

  @Test
  void aCheckpointThatLacksAPartGivesWayToTheOneBeforeIt() throws IOException {
    sealed(Written.id(1, 1));
    CheckpointManifest next = sealed(Written.id(1, 2));
    store.delete(path(next, 1));

    Inventory.Listing listing = Inventory.list(store, Written.GROUP);

    assertThat(listing.checkpoints().keySet()).containsExactly(Written.id(1, 1));
    assertThat(listing.problems().get(0).reason())
        .contains("part1of3.chunks")
        .contains("not exist");
    assertThat(restore().id()).isEqualTo(Written.id(1, 1));
  }

  @Test
  void aBadChunkInAnyPartIsFound() throws IOException {
    for (int part = 0; part < PARTS; part++) {
      CheckpointManifest manifest = sealed(Written.id(1, part));
      store.flip(path(manifest, part), 8 * 520);

      Optional<Examination.Defect> defect =
          Examination.of(store, manifest.id(), 0, new StagingBuffer());

      assertThat(defect.orElseThrow().file()).contains("part" + part + "of3");
    }
  }

  /** The node has the rank's data in one container, in another codec. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "LZ4", "ZSTD"})
  void aBadPartIsRepairedFromANode(Compression compression) throws IOException {
    SampleRank sample = Repairable.sample(new SplittableRandom(1));
    MemoryStore node = new MemoryStore("node");
    Repairable.write(node, sample, compression, StoreNames.manifestPart(0));
    CheckpointManifest manifest = write(store, Repairable.ID, sample);
    Repairable.publish(store, manifest, StoreNames.MANIFEST);
    MemoryStore good = store.copy();
    store.flip(path(manifest, 1), 8 * 520);

    for (ContainerSummary container : manifest.containers()) {
      boolean repaired = new StoreRepair(store, List.of(node)).run(manifest, container).isPresent();
      assertThat(repaired).isEqualTo(container.file().contains("part1of3"));
    }

    for (int part = 0; part < PARTS; part++) {
      assertThat(store.content(path(manifest, part))).isEqualTo(good.content(path(manifest, part)));
    }
  }

  /** Another repair, of another part, runs whole before each operation of this one. */
  @Test
  void partsAreRepairedAtOnce() throws IOException {
    SampleRank sample = Repairable.sample(new SplittableRandom(1));
    MemoryStore node = new MemoryStore("node");
    Repairable.write(node, sample, Compression.NONE, StoreNames.manifestPart(0));
    CheckpointManifest manifest = write(store, Repairable.ID, sample);
    Repairable.publish(store, manifest, StoreNames.MANIFEST);
    MemoryStore good = store.copy();
    store.flip(path(manifest, 0), 8 * 520);
    store.flip(path(manifest, 1), 8 * 520);
    FaultyStore counting = new FaultyStore(store.copy());
    repair(counting, node, manifest, 0);

    for (int meets = 0; meets < counting.count(); meets++) {
      MemoryStore copy = store.copy();
      FaultyStore slow = new FaultyStore(copy);
      slow.before(meets, () -> repair(copy, node, manifest, 1));

      repair(slow, node, manifest, 0);

      assertThat(copy.files.keySet())
          .as("meets %d", meets)
          .noneMatch(file -> file.contains("-repaired-"));
      for (int part = 0; part < PARTS; part++) {
        assertThat(copy.content(path(manifest, part)))
            .as("meets %d, part %d", meets, part)
            .isEqualTo(good.content(path(manifest, part)));
      }
    }
  }

  private static void repair(
      CheckpointStore store, CheckpointStore node, CheckpointManifest manifest, int part) {
    try {
      Optional<StoreRepair.Repaired> repaired =
          new StoreRepair(store, List.of(node)).run(manifest, manifest.containers().get(part));
      assertThat(repaired).isPresent();
    } catch (IOException e) {
      throw new AssertionError("part " + part + " was not repaired", e);
    }
  }

  /** The index of a container without compression follows from the regions. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "LZ4", "ZSTD"})
  void aLostPartIsWrittenAgainFromANode(Compression compression) throws IOException {
    SampleRank sample = Repairable.sample(new SplittableRandom(1));
    MemoryStore node = new MemoryStore("node");
    Repairable.write(node, sample, compression, StoreNames.manifestPart(0));
    CheckpointManifest manifest = write(store, Repairable.ID, sample);
    Repairable.publish(store, manifest, StoreNames.MANIFEST);
    byte[] good = store.content(path(manifest, 2)).clone();
    store.delete(path(manifest, 2));

    new StoreRepair(store, List.of(node)).run(manifest, manifest.containers().get(2));

    assertThat(store.content(path(manifest, 2))).isEqualTo(good);
  }

  /** Its index does not follow from the regions. */
  @Test
  void aLostPartThatWasCompressedIsNotWrittenAgain() throws IOException {
    SampleRank sample = Repairable.sample(new SplittableRandom(1));
    MemoryStore node = new MemoryStore("node");
    Repairable.write(node, sample, Compression.NONE, StoreNames.manifestPart(0));
    List<ContainerSummary> containers =
        new PartsWriter(() -> new ContainerWriter(64, Compression.LZ4))
            .write(store, Repairable.ID, 1, sample.chunks(), copies(sample, 2));
    CheckpointManifest manifest = Written.manifest(Repairable.ID, 1, Ancestry.NONE, containers);
    Repairable.publish(store, manifest, StoreNames.MANIFEST);
    store.delete(path(manifest, 1));

    assertThatThrownBy(() -> new StoreRepair(store, List.of(node)).run(manifest, containers.get(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the index of writer-r00000-part1of2.chunks is bad");
    assertThat(store.files).doesNotContainKey(path(manifest, 1));
  }

  private static List<ChunkReader> copies(SampleRank sample, int parts) {
    return Collections.nCopies(parts, sample.reader());
  }

  @Test
  void retentionDeletesEveryPartAndKeepsThoseThatALayerLeansOn() throws IOException {
    LayeredRank rank = new LayeredRank(0, 1, 4, new SplittableRandom(1));
    Base first = layer(rank, 1, 5, Optional.empty());
    layer(rank, 2, PARTS, Optional.empty()); // nothing leans on it
    rank.change(3); // part 3 of 5 holds chunks 3 and 8 alone
    rank.change(8);
    Base last = layer(rank, 3, 2, Optional.of(first));

    new Retention(store).apply(Written.GROUP, 1, 1, stored -> true, Set.of());

    Set<CheckpointId> holders = Set.of(Written.id(1, 1));
    assertThat(Inventory.list(store, Written.GROUP).checkpoints().keySet())
        .containsExactly(last.id());
    assertThat(Inventory.list(store, Written.GROUP).leaned()).containsExactlyElementsOf(holders);
    assertThat(store.list(StoreNames.checkpoint(Written.id(1, 2)))).isEmpty();
    assertThat(store.files)
        .doesNotContainKey(StoreNames.file(first.id(), first.containers().get(3).file()))
        .containsKey(StoreNames.file(first.id(), first.containers().get(0).file()));
    assertThat(LayeredRank.read(store, last.id(), 0, last.containers()))
        .usingElementComparator(Arrays::compare)
        .isEqualTo(rank.sample().contents());
  }

  private Base layer(LayeredRank rank, long iteration, int parts, Optional<Base> base)
      throws IOException {
    SampleRank sample = rank.sample();
    Base written =
        writer.write(
            store,
            Written.id(1, iteration),
            1,
            sample.chunks(),
            copies(sample, parts),
            new Leaning(base, 4));
    CheckpointManifest manifest =
        Written.manifest(written.id(), 1, Ancestry.NONE, written.containers());
    Inventory.requireContainers(store, manifest);
    Repairable.publish(store, manifest, StoreNames.MANIFEST);
    return written;
  }
}
