package io.cairn.core.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckpointManifestTest {
  private static final CheckpointId ID = new CheckpointId(new GroupId("waves", "domain"), 2, 10);
  private static final Digest DIGEST = Digest.of("index".getBytes(UTF_8));

  @Test
  void coversTheGroupWhenEveryRankIsListed() {
    CheckpointManifest manifest = manifest(3, container("a", 0, 2), container("b", 1));
    assertThat(manifest.coversGroup()).isTrue();
    assertThat(manifest.ranks()).containsExactly(0, 1, 2);
    assertThat(manifest.bytes()).isEqualTo(200);
    assertThat(manifest.containersOf(1)).extracting(ContainerSummary::file).containsExactly("b");
  }

  @Test
  void aPartCoversOnlyItsRanks() {
    CheckpointManifest part = manifest(3, container("a", 1));
    assertThat(part.coversGroup()).isFalse();
    assertThat(part.containersOf(0)).isEmpty();
  }

  @Test
  void refusesRanksOutsideTheGroup() {
    assertThatThrownBy(() -> manifest(2, container("a", 0, 2))).hasMessageContaining("rank 2");
    assertThatThrownBy(() -> manifest(2, container("a", -1))).hasMessageContaining("rank -1");
    assertThatThrownBy(() -> manifest(0, container("a", 0))).hasMessageContaining("rank 0");
  }

  @Test
  void aRanksChunksMayLieInSeveralContainers() {
    CheckpointManifest manifest = manifest(2, container("a", 0), container("b", 0, 1));
    assertThat(manifest.containersOf(0))
        .extracting(ContainerSummary::file)
        .containsExactly("a", "b");
    assertThat(manifest.coversGroup()).isTrue();
  }

  @Test
  void refusesAFileTwice() {
    assertThatThrownBy(() -> manifest(2, container("a", 0), container("a", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("container a is listed twice");
  }

  @Test
  void refusesToListNothing() {
    assertThatThrownBy(() -> manifest(1)).hasMessageContaining("no container");
  }

  @Test
  void refusesNoncesAndFilesThatAreNoSegment() {
    assertThatThrownBy(
            () ->
                new CheckpointManifest(
                    ID, 1, Optional.empty(), Ancestry.NONE, "../x", List.of(container("a", 0))))
        .hasMessageContaining("nonce");
    assertThatThrownBy(() -> container("../a", 0)).hasMessageContaining("container name");
  }

  @Test
  void refusesContainersOfNothing() {
    assertThatThrownBy(() -> container("a")).hasMessageContaining("for ranks []");
    assertThatThrownBy(() -> new ContainerSummary("a", -1, DIGEST, List.of(0)))
        .hasMessageContaining("-1 bytes");
  }

  @Test
  void keepsItsOwnCopyOfTheContainers() {
    List<ContainerSummary> containers = new ArrayList<>(List.of(container("a", 0)));
    CheckpointManifest manifest =
        new CheckpointManifest(ID, 1, Optional.empty(), Ancestry.NONE, "n", containers);
    containers.clear();
    assertThat(manifest.containers()).hasSize(1);
  }

  private static CheckpointManifest manifest(int size, ContainerSummary... containers) {
    return new CheckpointManifest(
        ID, size, Optional.empty(), Ancestry.NONE, "nonce", List.of(containers));
  }

  private static ContainerSummary container(String file, Integer... ranks) {
    return new ContainerSummary(file, 100, DIGEST, List.of(ranks));
  }
}
