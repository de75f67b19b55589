package io.cairn.flush.commit;

import static io.cairn.flush.commit.Repairable.FILE;
import static io.cairn.flush.commit.Repairable.ID;
import static io.cairn.flush.commit.Repairable.publish;
import static io.cairn.flush.commit.Repairable.sample;
import static io.cairn.flush.commit.Repairable.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.StoreRepair;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** Bad containers at STORE, replaced by good ones from a node. */
class StoreRepairTest {
  private static final String ASIDE =
      StoreNames.file(ID, StoreNames.quarantined(StoreNames.container(0)));

  private static final List<Compression> CODECS =
      List.of(Compression.NONE, Compression.LZ4, Compression.ZSTD, Compression.SHUFFLE_ZSTD);

  private final MemoryStore store = new MemoryStore("store");
  private final MemoryStore node = new MemoryStore("node");

  private CheckpointManifest plain() throws IOException {
    return Repairable.plain(store, node);
  }

  private boolean repair(CheckpointManifest manifest) throws IOException {
    return Repairable.repair(store, node, manifest);
  }

  private static Map<String, List<Byte>> contents(MemoryStore of) {
    Map<String, List<Byte>> all = new TreeMap<>();
    of.files.forEach(
        (path, bytes) -> {
          List<Byte> list = new ArrayList<>();
          for (byte each : bytes) {
            list.add(each);
          }
          all.put(path, list);
        });
    return all;
  }

  @Test
  void aGoodContainerIsLeftAlone() throws IOException {
    CheckpointManifest manifest = plain();
    Map<String, List<Byte>> before = contents(store);

    assertThat(repair(manifest)).isFalse();
    assertThat(contents(store)).isEqualTo(before);
  }

  @Test
  void aBadChunkComesFromTheNodeAndTheOthersStay() throws IOException {
    CheckpointManifest manifest = plain();
    byte[] good = store.content(FILE).clone();
    store.flip(FILE, 8 * 600);
    byte[] bad = store.content(FILE).clone();

    StoreRepair.Repaired repaired =
        new StoreRepair(store, List.of(node))
            .run(manifest, manifest.containers().get(0))
            .orElseThrow();

    assertThat(repaired.fetched()).isEqualTo(1);
    assertThat(store.content(FILE)).isEqualTo(good);
    assertThat(store.content(ASIDE)).isEqualTo(bad);
    assertThat(store.files).hasSize(3);
    assertThat(repair(manifest)).isFalse();
  }

  /** A lost block of HDFS, or a bad sector: each read of it fails, and is no proof of damage. */
  @Test
  void aFileThatCannotBeReadIsReplaced() throws IOException {
    CheckpointManifest manifest =
        write(store, sample(new SplittableRandom(1)), Compression.NONE, StoreNames.MANIFEST);
    write(node, sample(new SplittableRandom(1)), Compression.NONE, StoreNames.manifestPart(0));
    byte[] good = store.content(FILE).clone();

    for (int at = 0; at < good.length; at += 37) {
      MemoryStore copy = store.copy();
      assertThat(Repairable.repair(Unreadable.at(copy, FILE, at), node, manifest))
          .as("byte %d", at)
          .isTrue();
      assertThat(copy.content(FILE)).as("byte %d", at).isEqualTo(good);
      assertThat(copy.files).containsKey(ASIDE);
    }
    MemoryStore copy = store.copy();
    assertThat(Repairable.repair(Unreadable.file(copy, FILE), node, manifest)).isTrue();
    assertThat(copy.content(FILE)).isEqualTo(good);
  }

  /** Damage of every kind: the file is as it was written, or nothing changed. */
  @RepeatedTest(300)
  void theFileIsAsItWasWrittenOrNothingChanged(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    SampleRank sample = sample(random);
    Compression here = CODECS.get(random.nextInt(CODECS.size()));
    Compression there = CODECS.get(random.nextInt(CODECS.size()));
    CheckpointManifest manifest = write(store, sample, here, StoreNames.MANIFEST);
    CheckpointManifest part = write(node, sample, there, StoreNames.manifestPart(0));
    byte[] good = store.content(FILE).clone();
    damage(random);
    Map<String, List<Byte>> before = contents(store);
    boolean sameIndex =
        manifest.containers().get(0).indexDigest().equals(part.containers().get(0).indexDigest());

    try {
      boolean repaired = repair(manifest);
      assertThat(store.content(FILE)).as("seed %d", seed).isEqualTo(good);
      assertThat(repaired).as("seed %d", seed).isTrue();
    } catch (IOException e) {
      assertThat(e).as("seed %d", seed).hasMessageContaining("the index of writer-r00000.chunks");
      assertThat(sameIndex).as("seed %d", seed).isFalse();
      assertThat(here).as("seed %d", seed).isNotEqualTo(Compression.NONE);
      assertThat(contents(store)).as("seed %d", seed).isEqualTo(before);
    }
  }

  private void damage(SplittableRandom random) {
    byte[] good = store.content(FILE);
    switch (random.nextInt(4)) {
      case 0 -> store.files.remove(FILE);
      case 1 -> store.files.put(FILE, Arrays.copyOf(good, random.nextInt(good.length)));
      default -> {
        for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
          store.flip(FILE, random.nextLong(8L * good.length));
        }
        if (Arrays.equals(good, store.content(FILE))) {
          store.flip(FILE, 7);
        }
      }
    }
  }

  /** The node has whole copies; at STORE each container has what changed. */
  @RepeatedTest(60)
  void whatLeansOnARepairedContainerIsGoodAgain(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    LayeredRank rank = new LayeredRank(0, 1, 1 + random.nextInt(4), random);
    List<CheckpointManifest> manifests = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      rank.change(random);
      manifests.add(writeLeaning(Written.id(1, i), rank));
    }
    Map<String, List<Byte>> good = contents(store);
    boolean header = random.nextBoolean();
    // the first one has chunks of its own, which the others lean on
    CheckpointId id = Written.id(1, header ? 1 + random.nextInt(4) : 1);
    String bad = StoreNames.file(id, StoreNames.container(0));
    store.flip(bad, header ? random.nextLong(8 * 512) : 8 * 512 + random.nextLong(8 * 64));

    for (CheckpointManifest manifest : manifests) {
      boolean unused = repair(manifest);
    }

    Map<String, List<Byte>> now = contents(store);
    now.keySet().removeIf(path -> path.contains("quarantined"));
    assertThat(now).as("seed %d, %s", seed, bad).isEqualTo(good);
  }

  private CheckpointManifest writeLeaning(CheckpointId id, LayeredRank rank) throws IOException {
    ContainerSummary leaning = rank.write(store, id);
    ContainerSummary whole =
        new ContainerWriter(64).write(node, id, 1, List.of(rank.sample().chunks()));
    publish(
        node, Written.manifest(id, 1, Ancestry.NONE, List.of(whole)), StoreNames.manifestPart(0));
    CheckpointManifest manifest = Written.manifest(id, 1, Ancestry.NONE, List.of(leaning));
    publish(store, manifest, StoreNames.MANIFEST);
    return manifest;
  }

  @Test
  void withoutAnotherCopyNothingChanges() throws IOException {
    CheckpointManifest manifest = plain();
    store.flip(FILE, 8 * 600);
    Map<String, List<Byte>> before = contents(store);

    assertThatThrownBy(() -> Repairable.repair(store, new MemoryStore("empty"), manifest))
        .hasMessageContaining("no node has another copy");
    node.files.forEach((path, bytes) -> node.flip(path, 8L * (path.contains("writer") ? 530 : 9)));
    node.flip(StoreNames.file(ID, StoreNames.container(0)), 8 * 600);
    assertThatThrownBy(() -> repair(manifest)).isInstanceOf(IOException.class);
    assertThat(contents(store)).isEqualTo(before);
  }

  /** A copy of other data under the same number, such as by a tool that moved directories. */
  @Test
  void aCopyOfOtherDataIsNotTaken() throws IOException {
    CheckpointManifest manifest = plain();
    store.flip(FILE, 8 * 600);
    Map<String, List<Byte>> before = contents(store);
    MemoryStore other = new MemoryStore("other");
    write(other, sample(new SplittableRandom(2)), Compression.NONE, StoreNames.manifestPart(0));

    assertThatThrownBy(() -> Repairable.repair(store, other, manifest))
        .hasMessageContaining("no node has another copy");
    assertThat(contents(store)).isEqualTo(before);
  }
}
