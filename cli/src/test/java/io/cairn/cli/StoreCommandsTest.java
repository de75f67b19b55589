package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.PeriodBound;
import io.cairn.core.model.Ancestry;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code list}, {@code verify} and {@code explain} over local stores, whole and damaged. */
class StoreCommandsTest {
  private static final GroupId FOLD = new GroupId("digits", "fold-0");
  private static final GroupId COUPLED = new GroupId("digits", "wave");
  private static final Member FOLD_RANK = new Member(FOLD, 0, 1);

  @TempDir Path directory;
  private Path store;
  private Checkpoints checkpoints;
  private StringWriter out = new StringWriter();
  private StringWriter err = new StringWriter();

  /** Fold 0: e1-i10 and e1-i20, left at 10 for e2, which wrote i15. The coupled group: e1-i5. */
  @BeforeEach
  void writeCheckpoints() throws IOException {
    store = directory.resolve("the store");
    checkpoints = new Checkpoints(store);
    assertThat(checkpoints.takeEpoch(FOLD)).isEqualTo(1);
    CheckpointId base = checkpoints.write(FOLD, 1, 1, 10, Ancestry.NONE);
    checkpoints.write(FOLD, 1, 1, 20, Ancestry.NONE);
    assertThat(checkpoints.takeEpoch(FOLD)).isEqualTo(2);
    checkpoints.write(FOLD, 1, 2, 15, Ancestry.NONE.continuedFrom(base));
    checkpoints.container(FOLD_RANK, new CheckpointId(FOLD, 2, 25));
    checkpoints.takeEpoch(COUPLED);
    checkpoints.write(COUPLED, 2, 1, 5, Ancestry.NONE);
  }

  @AfterEach
  void close() throws IOException {
    checkpoints.close();
  }

  @Test
  void explainShowsThePeriodsAndTheirBounds() throws IOException {
    Learned learned =
        new Learned(
            Map.of(Level.DEVICE, 1L, Level.NODE, 40L),
            Map.of(Level.DEVICE, PeriodBound.OPTIMUM, Level.NODE, PeriodBound.WITHIN),
            60,
            0.1,
            Map.of(),
            Map.of());
    try (CheckpointStore written = CheckpointStores.open(store.toString())) {
      new GroupMemory(written).keep(new CheckpointId(FOLD, 2, 15), learned);
    }

    run("explain", store.toString(), "--group", "fold-0");

    assertThat(out.toString()).contains("NODE every 40 iterations (WITHIN)");
  }

  @Test
  void listShowsWhatCountsAndWhatDoesNot() {
    assertThat(run("list", store.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString().lines().map(String::strip))
        .contains("digits/fold-0", "1  2026-05-01T12:00:00Z  worker 7", "unfinished: e2-i25")
        .anyMatch(line -> line.startsWith("epoch  iteration  state  ranks"))
        .anyMatch(line -> line.matches("1 +10  alive +1/1  .*KiB"))
        .anyMatch(line -> line.matches("1 +20  dead +1/1  .*KiB"))
        .anyMatch(line -> line.matches("1 +5  alive +2/2  .*KiB"));
  }

  @Test
  void listAsJsonIsReadBack() throws Exception {
    run("list", store.toString(), "--job", "digits", "--group", "fold-0", "--json");
    JsonNode groups = parsed().path("groups");
    assertThat(groups).hasSize(1);
    JsonNode fold = groups.path(0);
    assertThat(fold.path("epochs").path(1).path("epoch").asLong()).isEqualTo(2);
    assertThat(fold.path("checkpoints").findValuesAsText("state"))
        .containsExactly("ALIVE", "DEAD", "ALIVE");
    assertThat(fold.path("unfinished").path(0).asText()).isEqualTo("e2-i25");
  }

  @Test
  void listMarksAGroupWhoseTrainingEnded() throws Exception {
    checkpoints.markEnd(new CheckpointId(COUPLED, 1, 5));

    run("list", store.toString());

    assertThat(out.toString()).containsOnlyOnce("ended with iteration 5\n");
    run("list", store.toString(), "--json");
    assertThat(parsed().path("groups").findValuesAsText("ended")).containsExactly("false", "true");
  }

  @Test
  void listNamesALaterEpochThatSealedNothingSinceTheEnd() throws Exception {
    checkpoints.markEnd(new CheckpointId(COUPLED, 1, 5));
    checkpoints.takeEpoch(COUPLED);

    run("list", store.toString());

    assertThat(out.toString())
        .contains("ended with iteration 5; epoch 2 has sealed nothing since\n");
  }

  @Test
  void aTrainingThatContinuedAfterItsEndHasNotEnded() throws Exception {
    checkpoints.markEnd(new CheckpointId(FOLD, 1, 10));

    run("list", store.toString(), "--group", "fold-0", "--json");

    assertThat(parsed().path("groups").findValuesAsText("ended")).containsExactly("false");
  }

  @Test
  void anUnknownJobOrGroupIsRefusedWithWhatThereIs() {
    assertThat(run("list", store.toString(), "--job", "digit")).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("cairn: ", "no job 'digit'; it has digits");
    assertThat(run("verify", store.toString(), "--group", "x")).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("no group 'x'; it has fold-0, wave");
  }

  @Test
  void aStoreThatIsNotThereIsRefused() {
    String nowhere = directory.resolve("nowhere").toString();
    assertThat(run("verify", nowhere)).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).startsWith("cairn: ").contains(nowhere).hasLineCount(1);
  }

  @Test
  void anEmptyStoreHoldsNothingAndIsGood() throws IOException {
    String empty = Files.createDirectory(directory.resolve("empty")).toString();
    assertThat(run("list", empty)).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains("holds no checkpoints");
    assertThat(run("verify", empty)).isEqualTo(ExitCodes.GOOD);
  }

  @Test
  void verifyReadsEverything() throws Exception {
    assertThat(run("verify", store.toString(), "--json")).isEqualTo(ExitCodes.GOOD);
    JsonNode report = parsed();
    assertThat(report.path("good").asBoolean()).isTrue();
    assertThat(report.path("groups").asInt()).isEqualTo(2);
    assertThat(report.path("checkpoints").asInt()).isEqualTo(4);
    assertThat(report.path("containers").asInt()).isEqualTo(5);
    assertThat(report.path("chunks").asInt()).isEqualTo(5 * 3);
    assertThat(report.path("unfinished").asInt()).isEqualTo(1);
    assertThat(run("verify", store.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains("4 checkpoints in 2 groups", "all good");
  }

  @Test
  void verifyDecodesCompressedChunksAndReportsBothLengths() throws Exception {
    GroupId other = new GroupId("digits", "small");
    checkpoints.takeEpoch(other);
    checkpoints.compress(Compression.SHUFFLE_ZSTD);
    CheckpointId id = checkpoints.write(other, 1, 1, 3, Ancestry.NONE);

    assertThat(run("verify", store.toString(), "--group", "small", "--json"))
        .isEqualTo(ExitCodes.GOOD);
    JsonNode report = parsed();
    assertThat(report.path("chunks").asInt()).isEqualTo(3);
    assertThat(report.path("stateBytes").asLong()).isEqualTo(Checkpoints.REGION_BYTES);
    assertThat(report.path("bytes").asLong()).isLessThan(Checkpoints.REGION_BYTES * 3 / 4);

    Checkpoints.flip(checkpoints.containerFile(id, 0), 512 + 4096 + 20);
    assertThat(run("verify", store.toString(), "--group", "small")).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString()).contains("stored bytes of region parameters, chunk 1 of 3");
  }

  @Test
  void verifyFindsAFlippedByteInAChunkAlsoOfADeadCheckpoint() throws Exception {
    Path file = checkpoints.containerFile(new CheckpointId(FOLD, 1, 20), 0);
    Checkpoints.flip(file, 5000);
    assertThat(run("verify", store.toString(), "--json")).isEqualTo(ExitCodes.BAD);
    JsonNode damage = parsed().path("damage");
    assertThat(damage).hasSize(1);
    assertThat(damage.path(0).path("file").asText()).isEqualTo(file.toString());
    assertThat(damage.path(0).path("offset").asLong()).isBetween(1L, 5000L);
    assertThat(damage.path(0).path("reason").asText()).contains("region parameters", "CRC32C");
    assertThat(damage.path(0).path("checkpoint").asText()).isEqualTo("digits/fold-0 e1-i20");
  }

  @Test
  void verifyNamesATruncatedContainerAndGoesOn() throws Exception {
    Path cut = checkpoints.containerFile(new CheckpointId(COUPLED, 1, 5), 1);
    Checkpoints.truncate(cut, 6000);
    Path gone = checkpoints.containerFile(new CheckpointId(FOLD, 1, 10), 0);
    Files.delete(gone);
    assertThat(run("verify", store.toString())).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString())
        .contains("damaged: " + cut + ", offset 6000: is 6000 bytes long, its manifest says")
        .contains("damaged: " + gone)
        .contains("2 damaged places");
  }

  @Test
  void verifyFindsAChunkThatNoContainerHolds() throws Exception {
    GroupId other = new GroupId("digits", "part");
    checkpoints.takeEpoch(other);
    checkpoints.writePart(other, 1, 3, (region, chunk) -> chunk != 1);
    assertThat(run("verify", store.toString(), "--group", "part")).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString())
        .contains("no container of rank 0 holds chunk 1 of region parameters")
        .contains("1 damaged place");
  }

  /** A container that no manifest names, as a holder leaves that was given up, means nothing. */
  @Test
  void verifyTakesWhatSeveralHoldersWroteTogether() throws Exception {
    GroupId shared = new GroupId("digits", "shared");
    checkpoints.takeEpoch(shared);
    checkpoints.writeShared(shared, 1, 3, (region, chunk) -> chunk == 1, "7f0c2d51-1");
    CheckpointId id = new CheckpointId(shared, 1, 3);
    checkpoints.container(
        new Member(shared, 0, 1), id, (region, chunk) -> chunk == 0, "writer-r00000-late-1.chunks");
    assertThat(run("verify", store.toString(), "--group", "shared", "--json"))
        .isEqualTo(ExitCodes.GOOD);
    assertThat(parsed().path("containers").asInt()).isEqualTo(2);
    assertThat(parsed().path("chunks").asInt()).isEqualTo(3);
  }

  @Test
  void verifyFindsADamagedManifest() throws Exception {
    Path manifest = store.resolve("digits/fold-0/e000002-i0000000015/MANIFEST");
    Checkpoints.flip(manifest, 40);
    assertThat(run("verify", store.toString(), "--group", "fold-0")).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString()).contains("damaged: " + manifest, "1 damaged place");
  }

  @Test
  void explainNamesTheNewestThatCountsAndWhyOthersDoNot() throws Exception {
    assertThat(run("explain", store.toString(), "--group", "fold-0")).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString())
        .contains("digits/fold-0, 1 rank: a restore takes e2-i15, 9.8 KiB from STORE")
        .contains("e2-i15 at STORE: good")
        .contains("e1-i20 at STORE: refused, not on the current line")
        .contains("Next candidates:")
        .containsPattern("e1-i10 +STORE");
  }

  /** Nobody but the superuser's root could read it; here it is no file at all. */
  @Test
  void explainPassesOverAManifestThatCannotBeReadAsARestoreDoes() throws Exception {
    unreadable(new CheckpointId(FOLD, 2, 15));

    assertThat(run("explain", store.toString(), "--group", "fold-0")).isEqualTo(ExitCodes.GOOD);

    assertThat(out.toString())
        .contains("a restore takes e1-i20")
        .contains("It asks for e2-i15 first, as long as store.patience")
        .contains("store.unreadable=refuse");
  }

  @Test
  void explainSaysThatARestoreFailsWithoutAnyReadableManifest() throws Exception {
    unreadable(new CheckpointId(COUPLED, 1, 5));

    assertThat(run("explain", store.toString(), "--group", "wave")).isEqualTo(ExitCodes.BAD);

    assertThat(out.toString()).contains("a restore fails after store.patience", "e1-i5");
  }

  @Test
  void verifyOffersWhatHelpsAgainstAManifestThatCannotBeRead() throws Exception {
    unreadable(new CheckpointId(FOLD, 2, 15));

    assertThat(run("verify", store.toString(), "--repair")).isEqualTo(ExitCodes.BAD);

    assertThat(out.toString())
        .contains("prune " + store + " --job digits --group fold-0 --discard e2-i15 --yes");
  }

  private void unreadable(CheckpointId id) throws IOException {
    Path manifest = store.resolve(StoreNames.file(id, StoreNames.MANIFEST));
    Path elsewhere = Files.move(manifest, directory.resolve("elsewhere"));
    Files.createSymbolicLink(manifest, elsewhere);
  }

  @Test
  void explainFallsBackFromADamagedCopyAndSaysSo() throws Exception {
    Checkpoints.flip(checkpoints.containerFile(new CheckpointId(FOLD, 2, 15), 0), 5000);
    run("explain", store.toString(), "--job", "digits", "--group", "fold-0", "--json");
    JsonNode explanation = parsed();
    assertThat(explanation.path("restored").path("checkpoint").asText()).isEqualTo("e1-i10");
    assertThat(explanation.path("tried").path(0).path("refusal").asText()).contains("CRC32C");
    assertThat(explanation.path("tried").path(1).path("refusal").asText()).isEmpty();
  }

  @Test
  void explainPrefersTheNodeAndTakesALostOneForAFinding() throws Exception {
    Path node = directory.resolve("node");
    Path life = node.resolve(storeName()).resolve(StoreNames.life(COUPLED, birth()));
    try (Checkpoints near = new Checkpoints(Files.createDirectories(life))) {
      near.write(COUPLED, 2, 1, 5, Ancestry.NONE);
    }
    run("explain", store.toString(), "--group", "wave", "--node", node.toString(), "--json");
    assertThat(parsed().path("restored").path("farthestLevel").asText()).isEqualTo("NODE");
    assertThat(parsed().path("tried").findValuesAsText("rank")).containsExactly("0", "1");
    String lost = directory.resolve("lost").toString();
    assertThat(run("explain", store.toString(), "--group", "wave", "--node", lost)).isZero();
    assertThat(out.toString()).contains("from STORE", "Unreachable:", lost);
  }

  @Test
  void aNewestCheckpointWhoseManifestIsGoneIsListedAndFailsTheVerification() throws Exception {
    CheckpointId newest = new CheckpointId(COUPLED, 1, 5);
    checkpoints.markSealed(newest);
    Files.delete(store.resolve(StoreNames.file(newest, StoreNames.MANIFEST)));

    assertThat(run("list", store.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains("lost: e1-i5");
    assertThat(run("verify", store.toString())).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString())
        .contains("e000001-i0000000005: was sealed, and its manifest is gone")
        .contains("whole without a manifest: " + store + "/" + StoreNames.checkpoint(newest));
  }

  @Test
  void listAndVerifyFindTheBirthsOfANodeDirectory() throws Exception {
    String birth = "01234567-89ab-cdef-0123-456789abcdef";
    Path node = Files.createDirectories(directory.resolve("node").resolve(storeName()));
    Path life = Files.createDirectories(node.resolve(StoreNames.life(COUPLED, birth)));
    try (Checkpoints near = new Checkpoints(life)) {
      near.write(COUPLED, 2, 1, 5, Ancestry.NONE);
    }

    assertThat(run("list", node.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains(COUPLED + " in " + life).contains("2/2");
    assertThat(run("verify", node.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains("1 checkpoint in 1 group, 2 containers");
  }

  @Test
  void theDirectoryOfANodeStandsForTheOnlyStoreThatItHasCopiesOf() throws Exception {
    Path node = directory.resolve("node");
    try (CheckpointStore opened = CheckpointStores.open(store.toString());
        NodeDirectory copies = new NodeDirectory(node, opened)) {
      copies.open().close();
      Path life = copies.path().resolve(StoreNames.life(COUPLED, birth()));
      try (Checkpoints near = new Checkpoints(Files.createDirectories(life))) {
        near.write(COUPLED, 2, 1, 5, Ancestry.NONE);
      }
    }

    assertThat(run("verify", node.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains("1 checkpoint in 1 group, 2 containers");
    assertThat(run("list", node.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains(COUPLED + " in " + node.resolve(storeName()));
    assertThat(run("explain", node.toString(), "--group", COUPLED.group()))
        .as("a store that lacks all")
        .isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("name the store, and this one by --node");
    assertThat(run("copy", node.toString(), directory.resolve("copy").toString()))
        .as("of nothing")
        .isEqualTo(ExitCodes.REFUSED);

    Path another = node.resolve("76543210-89ab-cdef-0123-456789abcdef");
    Files.createDirectory(another);
    Files.writeString(another.resolve("store-place"), "/another/store\n");
    assertThat(run("verify", node.toString())).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString())
        .contains("copies of several stores", another.toString(), "/another/store");
  }

  @Test
  void whatATrainingDeletesDuringAVerificationIsNoDamage() throws Exception {
    try (CheckpointStore opened = CheckpointStores.open(store.toString())) {
      Inventory.Listing listing = Inventory.list(opened, COUPLED);
      CheckpointId oldest = listing.checkpoints().firstKey();
      Retention.Report unused = Retention.ofEnded(opened).delete(Set.of(oldest));
      Verifier verifier = new Verifier(opened, bytes -> {});

      verifier.verify(listing);

      assertThat(verifier.damage()).isEmpty();
    }
  }

  @Test
  void aVerificationThatFoundNothingDoesNotCallItGood() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThat(run("verify", empty.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains("nothing to restore").doesNotContain("good");
  }

  private String birth() throws IOException {
    try (CheckpointStore opened = CheckpointStores.open(store.toString())) {
      return GroupBirth.of(opened, COUPLED);
    }
  }

  private String storeName() throws IOException {
    try (CheckpointStore opened = CheckpointStores.open(store.toString())) {
      return StoreIdentity.of(opened);
    }
  }

  @Test
  void explainSaysWhenNothingThatIsThereCanBeRestored() throws Exception {
    Checkpoints.flip(checkpoints.containerFile(new CheckpointId(COUPLED, 1, 5), 1), 5000);
    assertThat(run("explain", store.toString(), "--group", "wave")).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString())
        .contains("nothing can be restored", "e1-i5 rank 1 at STORE: refused");
    int onlyTheWhole = run("explain", store.toString(), "--group", "wave", "--rank", "0");
    assertThat(onlyTheWhole).isEqualTo(ExitCodes.GOOD);
  }

  @Test
  void explainRefusesARankThatTheGroupDoesNotHave() {
    int code = run("explain", store.toString(), "--group", "wave", "--rank", "2");
    assertThat(code).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("rank 2 of a group of 2");
  }

  private JsonNode parsed() throws JsonProcessingException {
    return new ObjectMapper().readTree(out.toString());
  }

  private int run(String... arguments) {
    out = new StringWriter();
    err = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  /** A link is never followed, so its file cannot be read. */
  @Test
  void anUnreadableManifestHidesNoOther() throws IOException {
    Path manifest = store.resolve("digits/fold-0/e000001-i0000000010/MANIFEST");
    Files.delete(manifest);
    Files.createSymbolicLink(manifest, directory.resolve("nowhere"));

    assertThat(run("list", store.toString())).isZero();
    assertThat(out.toString()).contains("e000001-i0000000010/MANIFEST");
    assertThat(run("verify", store.toString())).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString()).contains("e000001-i0000000010/MANIFEST");
    assertThat(run("explain", store.toString(), "--group", "fold-0")).isZero();
  }
}
