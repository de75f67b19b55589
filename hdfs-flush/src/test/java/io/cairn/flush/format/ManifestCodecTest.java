package io.cairn.flush.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Holder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestCodecTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-3");
  private static final Digest ZERO = Digest.of(new byte[0]);
  private static final CheckpointManifest MANIFEST =
      new CheckpointManifest(
          new CheckpointId(GROUP, 3, 42),
          2,
          Optional.of(new CheckpointManifest.Parent(new CheckpointId(GROUP, 3, 41), ZERO)),
          new Ancestry(List.of(new Ancestry.Step(1, 30))),
          "7f0c2d51",
          List.of(new ContainerSummary("writer-r00000.chunks", 1044, ZERO, List.of(0, 1))));
  private static final String ABOVE =
      """
      cairn-manifest 1
      job digits
      group fold-3
      epoch 3
      iteration 42
      size 2
      nonce 7f0c2d51
      parent 3 41 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
      ancestor 1 30
      container writer-r00000.chunks 1044 \
      e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0,1
      """;

  private static final CheckpointManifest DESCRIBED =
      new CheckpointManifest(
          MANIFEST.id(),
          2,
          MANIFEST.parent(),
          MANIFEST.ancestry(),
          MANIFEST.nonce(),
          List.of(
              MANIFEST
                  .containers()
                  .get(0)
                  .writtenBy(
                      Fingerprint.NONE
                          .with("region.weights", "double[100]")
                          .with("label", "digits v2"))));
  private static final String DESCRIBED_ABOVE =
      ABOVE.replace("cairn-manifest 1", "cairn-manifest 2")
          + """
          entry label digits v2
          entry region.weights double[100]
          """;

  private static byte[] sealed(String above) {
    byte[] bytes = above.getBytes(StandardCharsets.UTF_8);
    return (above + "sha256 " + Digest.of(bytes) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void isTheTextThatThePageShows() throws IOException {
    assertThat(ManifestCodec.encode(MANIFEST))
        .asString()
        .isEqualTo(new String(sealed(ABOVE), StandardCharsets.UTF_8));
    assertThat(ManifestCodec.decode(sealed(ABOVE), "f")).isEqualTo(MANIFEST);
    assertThat(ManifestCodec.digest(MANIFEST)).isEqualTo(Digest.of(sealed(ABOVE)));
  }

  private static final String HOLDER = "holder 3 41 writer-r00000.chunks 99 " + ZERO + "\n";

  private static String leaningAbove(String holder) {
    return DESCRIBED_ABOVE
        .replace("cairn-manifest 2", "cairn-manifest 3")
        .replaceFirst("entry ", holder + "entry ");
  }

  @Test
  void holdersMakeItAManifestOfVersion3() throws IOException {
    CheckpointManifest leaning = ManifestCodec.decode(sealed(leaningAbove(HOLDER)), "f");

    assertThat(leaning.holders())
        .containsExactly(new Holder(3, 41, "writer-r00000.chunks", 99, ZERO));
    assertThat(ManifestCodec.encode(leaning)).isEqualTo(sealed(leaningAbove(HOLDER)));
  }

  @ParameterizedTest
  @CsvSource({
    "holder 3 41, holder 3 42, is not of an older checkpoint",
    "holder 3 41, holder 4 1, is not of an older checkpoint",
    "holder 3 41, holder 0 41, in epoch 0",
    "holder 3 41, holder 3 -1, iteration -1",
    "holder 3 41, holder 3 041, differs from the one text of this manifest",
    "writer-r00000.chunks 99, ../writer-r00000.chunks 99, not one path segment",
    "writer-r00000.chunks 99, writer-r00000.chunks -9, of -9 bytes",
    "writer-r00000.chunks 99, writer-r00000.chunks, unexpected line in a manifest"
  })
  void aHolderThatNoWriterNamesIsRejected(String found, String replacement, String reason) {
    String holder = HOLDER.replace(found, replacement);

    assertThatThrownBy(() -> ManifestCodec.decode(sealed(leaningAbove(holder)), "f"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void aHolderThatIsNamedTwiceIsRejected() {
    assertThatThrownBy(() -> ManifestCodec.decode(sealed(leaningAbove(HOLDER + HOLDER)), "f"))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("or on one twice");
  }

  @Test
  void entriesMakeItAManifestOfVersion2() throws IOException {
    assertThat(ManifestCodec.encode(DESCRIBED))
        .asString()
        .isEqualTo(new String(sealed(DESCRIBED_ABOVE), StandardCharsets.UTF_8));
    assertThat(ManifestCodec.decode(sealed(DESCRIBED_ABOVE), "f")).isEqualTo(DESCRIBED);
    assertThat(DESCRIBED.fingerprintOf(1).entries()).containsEntry("label", "digits v2");
  }

  @ParameterizedTest
  @CsvSource({
    "cairn-manifest 2, cairn-manifest 1, differs from the one text of this manifest",
    "cairn-manifest 2, cairn-manifest 3, differs from the one text of this manifest",
    "cairn-manifest 2, cairn-manifest 4, another version",
    "entry label digits v2, entry label, unexpected line in a manifest",
    "entry label digits v2, 'entry label ', use 1 to 128 printable ASCII characters",
    "entry label digits v2, entry zebra digits, differs from the one text of this manifest",
    "entry label digits v2, entry region.weights x, is there already",
    "entry label digits v2, entry ../label x, entry name",
    "nonce 7f0c2d51, 'nonce 7f0c2d51\\nentry label x', unexpected line in a manifest",
  })
  void otherEntriesAreRefusedAlthoughTheyAreSealed(String of, String by, String reason) {
    byte[] text = sealed(DESCRIBED_ABOVE.replace(of, by.replace("\\n", "\n")));
    assertThatThrownBy(() -> ManifestCodec.decode(text, "the-file"))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("the-file, offset ")
        .hasMessageContaining(reason);
  }

  @RepeatedTest(40)
  void aWrittenManifestIsRead(RepetitionInfo info) throws IOException {
    long seed = info.getCurrentRepetition();
    CheckpointManifest manifest = random(new SplittableRandom(seed));
    assertThat(ManifestCodec.decode(ManifestCodec.encode(manifest), "f"))
        .as("seed %d", seed)
        .isEqualTo(manifest);
  }

  private static Fingerprint program(SplittableRandom random) {
    return random.nextBoolean()
        ? Fingerprint.NONE
        : Fingerprint.NONE.with("network", "sha256 " + random.nextInt(9)).with("a.b-c", "~ !");
  }

  private static CheckpointManifest random(SplittableRandom random) {
    int size = 1 + random.nextInt(12);
    CheckpointId id =
        new CheckpointId(GROUP, 1 + random.nextLong(1L << 40), random.nextLong(1L << 40));
    List<Ancestry.Step> steps = new ArrayList<>();
    for (long epoch = 1L + random.nextInt(3); epoch < 9; epoch += 1 + random.nextInt(5)) {
      steps.add(new Ancestry.Step(epoch, random.nextInt(1000)));
    }
    List<ContainerSummary> containers = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      Digest digest = Digest.of(new byte[] {(byte) rank});
      List<Integer> ranks =
          rank + 1 < size && random.nextBoolean() ? List.of(rank, ++rank) : List.of(rank);
      containers.add(
          new ContainerSummary(StoreNames.container(rank), random.nextLong(1L << 42), digest, ranks)
              .writtenBy(program(random)));
    }
    Optional<CheckpointManifest.Parent> parent =
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(new CheckpointManifest.Parent(new CheckpointId(GROUP, 2, 9), ZERO));
    return new CheckpointManifest(
        id, size, parent, new Ancestry(steps), "n" + random.nextInt(99), containers);
  }

  @Test
  void everyFlippedBitIsFound() {
    byte[] whole = ManifestCodec.encode(MANIFEST);
    for (int bit = 0; bit < 8 * whole.length; bit++) {
      byte[] damaged = whole.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      assertRefused(damaged, "bit " + bit);
    }
  }

  @Test
  void everyTruncationIsFound() {
    byte[] whole = ManifestCodec.encode(MANIFEST);
    for (int length = 0; length < whole.length; length++) {
      assertRefused(Arrays.copyOf(whole, length), "cut to " + length);
    }
    assertRefused(Arrays.copyOf(whole, whole.length + 1), "one byte more");
  }

  private static void assertRefused(byte[] text, String what) {
    Throwable thrown = catchThrowable(() -> ManifestCodec.decode(text, "the-file"));
    assertThat(thrown).as(what).isInstanceOf(FormatException.class);
    assertThat(((FormatException) thrown).offset()).as(what).isBetween(0L, (long) text.length);
    assertThat(thrown).as(what).hasMessageStartingWith("the-file, offset ");
  }

  @ParameterizedTest
  @CsvSource({
    "cairn-manifest 1, cairn-manifest 2, differs from the one text of this manifest",
    "cairn-manifest 1, cairn-manifest 3, differs from the one text of this manifest",
    "cairn-manifest 1, cairn-manifest 4, another version",
    "job digits, job ../digits, not one path segment",
    "epoch 3, epoch 03, differs from the one text of this manifest",
    "epoch 3, epoch three, 'three' is not a number",
    "epoch 3, epoch 0, epoch 0",
    "size 2, size 1, rank 1 is out of range",
    "size 2, size 4294967298, is out of range",
    "iteration 42, iterations 42, expected a line 'iteration ...'",
    "ancestor 1 30, ancestor 1, unexpected line in a manifest",
    "nonce 7f0c2d51, 'nonce 7f0c2d51 ', not one path segment",
    "parent 3 41, 'parent 3  41', unexpected line in a manifest",
    "container writer, contents writer, unexpected line in a manifest",
  })
  void anythingElseIsRefusedAlthoughItIsSealed(String of, String by, String reason) {
    byte[] text = sealed(ABOVE.replace(of, by));
    assertThatThrownBy(() -> ManifestCodec.decode(text, "the-file"))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("the-file, offset ")
        .hasMessageContaining(reason);
  }

  @Test
  void aTextBeyondTheBoundIsRefusedUnread() {
    assertThatThrownBy(
            () -> ManifestCodec.decode(new byte[ManifestCodec.MAX_BYTES + 1], "the-file"))
        .hasMessageContaining("is longer than");
  }

  @Test
  void aParentOfAnotherGroupIsNotWritten() {
    CheckpointId stranger = new CheckpointId(new GroupId("digits", "fold-4"), 3, 41);
    CheckpointManifest manifest =
        new CheckpointManifest(
            MANIFEST.id(),
            2,
            Optional.of(new CheckpointManifest.Parent(stranger, ZERO)),
            Ancestry.NONE,
            "n",
            MANIFEST.containers());
    assertThatThrownBy(() -> ManifestCodec.encode(manifest))
        .hasMessageContaining("digits/fold-3 e3-i42 cannot follow digits/fold-4 e3-i41");
  }
}
