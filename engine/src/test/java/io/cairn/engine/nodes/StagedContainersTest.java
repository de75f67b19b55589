package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

  private CheckpointManifest atNode(Fingerprint program) throws IOException {
    var id = Written.id(1, 20);
    ContainerSummary written =
        new ContainerWriter(CHUNK)
            .write(node, id, 1, List.of(SampleRank.of(0, CHUNK, new byte[BYTES]).chunks()));
    return Written.manifest(id, 1, Ancestry.NONE, List.of(written.writtenBy(program)));
  }

  private StagedContainers containers() {
    return new StagedContainers(
        store, () -> new ContainerWriter(CHUNK), new Pace(0, System::nanoTime), bytes -> {});
  }

  private ContainerSummary staged(Fingerprint program) throws IOException {
    CheckpointManifest part = atNode(program);
    StagingOwner.claim(store);
    ContainerSummary written = containers().write(part, StagingOwner.BIRTH, node);
    try (RankReader reader = RankReader.open(store, part.id(), 0, List.of(written))) {
      assertThat(SampleRank.readAll(reader.images(), reader)).containsExactly(new byte[BYTES]);
    }
    return written;
  }

  @Test
  void anOwnerWithoutABirthHasClaimedNothing() throws IOException {
    CheckpointManifest part = atNode(Fingerprint.NONE);

    assertThatThrownBy(() -> containers().write(part, "", node))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was not claimed");
  }

  @Test
  void regionsAreCompressedAsTheirProgramAsks() throws IOException {
    assertThat(staged(Fingerprint.NONE.with("codec.r0", "zstd")).bytes()).isLessThan(BYTES / 4);
  }

  @Test
  void otherRegionsAreCompressedAsTheServerIsToldTo() throws IOException {
    assertThat(staged(Fingerprint.NONE).bytes()).isGreaterThan(BYTES);
  }

  /** As below a missing mount: the claim that the server looks for is in the store alone. */
  @Test
  void nothingIsWrittenInADirectoryThatTookThePlaceOfTheStore() throws IOException {
    CheckpointManifest part = atNode(Fingerprint.NONE);
    StagingOwner.claim(store);
    store.files.clear();

    assertThatThrownBy(() -> containers().write(part, StagingOwner.BIRTH, node))
        .hasMessageContaining("was not claimed");
    assertThat(store.files).isEmpty();
  }
}
