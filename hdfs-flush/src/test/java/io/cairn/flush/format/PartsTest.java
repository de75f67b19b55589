package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Digest;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Manifests that list the parts of a rank's checkpoint, honest and hostile ones. */
class PartsTest {
  private static final Digest ZERO = Digest.of(new byte[0]);

  /** The manifest of a group of two with these containers, each given as {@code file ranks}. */
  private static CheckpointManifest decode(String... containers) throws IOException {
    String above =
        """
        cairn-manifest 1
        job job
        group group
        epoch 3
        iteration 7
        size 2
        nonce n
        """
            + Arrays.stream(containers)
                .map(each -> each.split(" ", -1))
                .map(words -> "container %s 99 %s %s\n".formatted(words[0], ZERO, words[1]))
                .collect(Collectors.joining());
    byte[] bytes = above.getBytes(StandardCharsets.US_ASCII);
    String sealed = above + "sha256 " + Digest.of(bytes) + "\n";
    return ManifestCodec.decode(sealed.getBytes(StandardCharsets.US_ASCII), "store/MANIFEST");
  }

  private static String part(int rank, int index, int parts) {
    return Parts.name(rank, index, parts) + " " + rank;
  }

  @Test
  void aSingleContainerHasTheNameThatItAlwaysHad() {
    assertThat(Parts.name(3, 0, 1)).isEqualTo("writer-r00003.chunks");
    assertThat(Parts.name(3, 1, 4)).isEqualTo("writer-r00003-part1of4.chunks");
    assertThat(StoreNames.isContainerOf(3, Parts.name(3, 1, 4))).isTrue();
  }

  @Test
  void eachRankHasItsOwnNumberOfParts() throws IOException {
    CheckpointManifest manifest =
        decode(part(0, 0, 2), part(0, 1, 2), part(1, 2, 3), part(1, 0, 3), part(1, 1, 3));

    assertThat(manifest.containersOf(0)).hasSize(2);
    assertThat(manifest.containersOf(1)).hasSize(3);
    assertThat(decode("writer-r00000.chunks 0", part(1, 0, 2), part(1, 1, 2)).ranks())
        .containsExactly(0, 1);
  }

  @Test
  void allPartsAreReadHoweverMany() throws IOException {
    String[] most =
        IntStream.range(0, Parts.MOST)
            .mapToObj(index -> part(0, index, Parts.MOST))
            .toArray(String[]::new);

    assertThat(decode(most).containersOf(0)).hasSize(Parts.MOST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "writer-r00000-part0of2.chunks 0 | | rank 0 has 1 containers",
        "writer-r00000-part1of2.chunks 0 | writer-r00001.chunks 1 | rank 0 has 1 containers",
        "writer-r00000-part0of3.chunks 0 | writer-r00000-part2of3.chunks 0 | each of its 3 parts",
        "writer-r00000-part0of2.chunks 0 | writer-r00000-part1of3.chunks 0 | each of its 2 parts",
        "writer-r00000-part0of2.chunks 0 | writer-r00000.chunks 0 | no other container",
        "writer-r00000-part0of2.chunks 0 | writer-r00000-part0of2.chunks 0 | is listed twice",
        "writer-r00000-part0of2.chunks 0 | writer-r00000-part00of2.chunks 0 | not the part",
        "writer-r00000-part0of2.chunks 0 | writer-r00000-part1of2.chunks 1 | not the part",
        "writer-r00000-part0of2.chunks 0 | writer-r00000-part1of2.chunks 0,1 | not the part",
        "writer-r00000-part0of1.chunks 0 | | a rank has 2 to 16 parts",
        "writer-r00000-part2of2.chunks 0 | | a rank has 2 to 16 parts",
        "writer-r00000-part0of17.chunks 0 | | a rank has 2 to 16 parts",
        "writer-r00000-part0of999999999.chunks 0 | | a rank has 2 to 16 parts",
      })
  void partsThatNoWriterListsAreRefused(String first, String second, String reason) {
    String[] containers = second == null ? new String[] {first} : new String[] {first, second};

    assertThatThrownBy(() -> decode(containers))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("store/MANIFEST")
        .hasMessageContaining(reason);
  }

  @Test
  void theNamesShowWhetherARankLacksAPart() {
    List<String> whole =
        List.of(
            "writer-r00000-part0of2.chunks",
            "writer-r00000-part1of2.chunks",
            "writer-r00001.chunks",
            "writer-r00002-late-1.chunks");

    assertThat(Parts.isOneMissing(whole)).isFalse();
    assertThat(Parts.isOneMissing(whole.subList(1, 4))).isTrue();
    assertThat(Parts.isOneMissing(List.of("writer-r00000-part0of3.chunks"))).isTrue();
    assertThat(Parts.isOneMissing(List.of())).isFalse();
  }

  @Test
  void otherHoldersOfARankAreNoParts() throws IOException {
    CheckpointManifest manifest =
        decode("writer-r00000-part1of2x.chunks 0", "writer-r00000-7f0c2d51-3.chunks 0");

    assertThat(manifest.containers()).extracting(ContainerSummary::ranks).contains(List.of(0));
  }
}
