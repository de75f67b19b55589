package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.Certificate;
import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.Certificates;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupListingTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");

  @TempDir Path store;

  /** A link is never followed, so its file cannot be read. */
  @Test
  void anEpochFileThatCannotBeReadHidesNoOther() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(store)) {
      checkpoints.takeEpoch(GROUP);
      checkpoints.takeEpoch(GROUP);
    }
    Path second = store.resolve(StoreNames.epoch(GROUP, 2));
    Files.delete(second);
    Files.createSymbolicLink(second, store.resolve("nowhere"));

    try (CheckpointStore opened = CheckpointStores.openForReading(store.toString())) {
      assertThat(GroupListing.of(opened, GROUP).epochs())
          .satisfiesExactly(
              first -> assertThat(first.by()).isEqualTo("worker 7"),
              unreadable ->
                  assertThat(unreadable.by()).startsWith("cannot be read").contains("000002"));
    }
  }

  @Test
  void scoreAndTimeOfACheckpointAreShown() throws Exception {
    try (Checkpoints checkpoints = new Checkpoints(store)) {
      checkpoints.takeEpoch(GROUP);
      checkpoints.write(GROUP, 1, 1, 7, Ancestry.NONE);
      Instant sealed = Instant.parse("2026-05-01T12:34:56.789Z");
      checkpoints.writtenBy(
          new CheckpointFacts(OptionalDouble.of(0.25), Optional.of(sealed))
              .addedTo(Fingerprint.NONE));
      checkpoints.write(GROUP, 1, 1, 8, Ancestry.NONE);
    }

    List<String> lines =
        CommandRun.of("list", store.toString()).out().lines().map(String::strip).toList();
    assertThat(lines)
        .anyMatch(line -> line.matches("epoch +iteration .* size +score +sealed +certified"))
        .anyMatch(line -> line.matches("1 +7 +alive .*B"))
        .anyMatch(line -> line.matches("1 +8 +alive .*B +0.25 +2026-05-01T12:34:56.789Z"));
    JsonNode listed =
        Json.tree(CommandRun.of("list", store.toString(), "--json").out())
            .path("groups")
            .path(0)
            .path("checkpoints");
    assertThat(listed.path(0).path("score").isNull()).isTrue();
    assertThat(listed.path(0).path("sealed").asText()).isEmpty();
    assertThat(listed.path(1).path("score").asDouble()).isEqualTo(0.25);
    assertThat(listed.path(1).path("sealed").asText()).isEqualTo("2026-05-01T12:34:56.789Z");
  }

  @Test
  void aCertificateIsShownWithItsPredecessor() throws Exception {
    try (Checkpoints checkpoints = new Checkpoints(store)) {
      checkpoints.takeEpoch(GROUP);
      checkpoints.write(GROUP, 1, 1, 7, Ancestry.NONE);
      checkpoints.write(GROUP, 1, 1, 8, Ancestry.NONE);
      checkpoints.write(GROUP, 1, 1, 9, Ancestry.NONE);
    }
    CheckpointId first = new CheckpointId(GROUP, 1, 7);
    CheckpointId second = new CheckpointId(GROUP, 1, 8);
    try (CheckpointStore opened = CheckpointStores.open(store.toString())) {
      Certificates certificates = new Certificates(opened);
      certificates.write(certificate(first, Optional.empty()));
      certificates.write(
          certificate(
              second, Optional.of(new Certificate.Predecessor(first, manifest(first), true))));
    }
    Files.writeString(
        store.resolve(StoreNames.file(new CheckpointId(GROUP, 1, 9), "CERTIFIED")), "?");

    try (CheckpointStore opened = CheckpointStores.openForReading(store.toString())) {
      assertThat(GroupListing.of(opened, GROUP).checkpoints())
          .extracting(GroupListing.Checkpoint::certified)
          .satisfiesExactly(
              one -> assertThat(one).isEqualTo("from the start"),
              two -> assertThat(two).isEqualTo("from e1-i7"),
              damaged -> assertThat(damaged).startsWith("cannot be read").contains("CERTIFIED"));
    }
    assertThat(CommandRun.of("list", store.toString()).out()).contains("from e1-i7");
  }

  private Certificate certificate(CheckpointId id, Optional<Certificate.Predecessor> from)
      throws IOException {
    return new Certificate(
        id,
        manifest(id),
        from,
        new TreeMap<>(Map.of("weights", Digest.of(new byte[1]))),
        new TreeMap<>());
  }

  private Digest manifest(CheckpointId id) throws IOException {
    return Digest.of(Files.readAllBytes(store.resolve(StoreNames.file(id, StoreNames.MANIFEST))));
  }

  @Test
  void lossyRegionsAreNamedWithTheirBound() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(store)) {
      checkpoints.takeEpoch(GROUP);
      checkpoints.write(GROUP, 1, 1, 7, Ancestry.NONE);
      checkpoints.writtenBy(Fingerprint.NONE.with("lossy.region", "float within 0.001"));
      checkpoints.write(GROUP, 2, 1, 8, Ancestry.NONE);
    }

    try (CheckpointStore opened = CheckpointStores.openForReading(store.toString())) {
      assertThat(GroupListing.of(opened, GROUP).checkpoints())
          .extracting(GroupListing.Checkpoint::lossy)
          .containsExactly(List.of(), List.of("region float within 0.001"));
    }
    assertThat(CommandRun.of("list", store.toString()).out())
        .containsOnlyOnce("  lossy: region float within 0.001\n");
  }
}
