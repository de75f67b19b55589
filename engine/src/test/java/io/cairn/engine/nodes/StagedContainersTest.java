package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.SampleRank;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class StagedContainersTest {
  private static final int CHUNK = 1024;
  private static final int BYTES = 50_000;

  private final MemoryStore node = new MemoryStore("node");
  private final MemoryStore store = new MemoryStore("store");

  private ContainerSummary staged(Fingerprint program) throws IOException {
    var id = Written.id(1, 20);
    ContainerSummary atNode =
        new ContainerWriter(CHUNK)
            .write(node, id, 1, List.of(SampleRank.of(0, CHUNK, new byte[BYTES]).chunks()));
    CheckpointManifest part =
        Written.manifest(id, 1, Ancestry.NONE, List.of(atNode.writtenBy(program)));
    StagingOwner.claim(store);
    StagedContainers staged =
        new StagedContainers(
            store, () -> new ContainerWriter(CHUNK), new Pace(0, System::nanoTime), bytes -> {});
    ContainerSummary written = staged.write(part, StagingOwner.BIRTH, node);
    try (RankReader reader = RankReader.open(store, id, 0, List.of(written))) {
      assertThat(SampleRank.readAll(reader.images(), reader)).containsExactly(new byte[BYTES]);
    }
    return written;
  }

  @Test
  void regionsAreCompressedAsTheirProgramAsks() throws IOException {
    assertThat(staged(Fingerprint.NONE.with("codec.r0", "zstd")).bytes()).isLessThan(BYTES / 4);
  }

  @Test
  void otherRegionsAreCompressedAsTheServerIsToldTo() throws IOException {
    assertThat(staged(Fingerprint.NONE).bytes()).isGreaterThan(BYTES);
  }
}
