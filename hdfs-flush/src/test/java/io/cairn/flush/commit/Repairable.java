package io.cairn.flush.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.SampleRank;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.StoreRepair;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** One checkpoint at STORE and at a node, in containers of different codecs. */
final class Repairable {
  static final CheckpointId ID = Written.id(1, 10);
  static final String FILE = StoreNames.file(ID, StoreNames.container(0));

  private Repairable() {}

  /** A region that codecs make shorter, and one that they do not. */
  static SampleRank sample(SplittableRandom random) {
    byte[] weights = new byte[64 * 9 + random.nextInt(64)];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (byte) (random.nextInt(3) * (i % 4 == 0 ? 90 : 1));
    }
    byte[] noise = new byte[random.nextInt(300)];
    random.nextBytes(noise);
    return SampleRank.of(0, 64, weights, noise);
  }

  static CheckpointManifest write(
      MemoryStore to, SampleRank sample, Compression compression, String name) throws IOException {
    ContainerSummary container =
        new ContainerWriter(64, compression).write(to, ID, 1, List.of(sample.chunks()));
    CheckpointManifest manifest = Written.manifest(ID, 1, Ancestry.NONE, List.of(container));
    publish(to, manifest, name);
    return manifest;
  }

  static void publish(MemoryStore to, CheckpointManifest manifest, String name) {
    assertThat(new ManifestCommit(to).commit(manifest, name))
        .isInstanceOf(CommitOutcome.Committed.class);
  }

  /** The manifest at STORE, which does not compress, while the node does. */
  static CheckpointManifest plain(MemoryStore store, MemoryStore node) throws IOException {
    SampleRank sample = sample(new SplittableRandom(1));
    write(node, sample, Compression.LZ4, StoreNames.manifestPart(0));
    return write(store, sample, Compression.NONE, StoreNames.MANIFEST);
  }

  /** Repairs the only container; whether it was bad. */
  static boolean repair(CheckpointStore store, CheckpointStore node, CheckpointManifest manifest)
      throws IOException {
    return new StoreRepair(store, List.of(node))
        .run(manifest, manifest.containers().get(0))
        .isPresent();
  }
}
