package io.cairn.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointFactsTest {
  private static final Fingerprint PROGRAM = Fingerprint.NONE.with("label", "v1");
  private static final Instant NOW = Instant.parse("2026-11-23T08:09:10.123456789Z");

  @ParameterizedTest
  @ValueSource(
      doubles = {0, -0.0, 0.25, -1e-300, 4.9e-324, 1.7976931348623157e308, 123456789.125, 1 / 3.0})
  void entriesKeepThem(double score) {
    CheckpointFacts facts = new CheckpointFacts(OptionalDouble.of(score), Optional.of(NOW));

    CheckpointFacts read = CheckpointFacts.of(facts.addedTo(PROGRAM));

    assertThat(read).isEqualTo(facts);
    assertThat(read.sealed()).contains(Instant.parse("2026-11-23T08:09:10.123Z"));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void aScoreIsFinite(double score) {
    assertThat(CheckpointFacts.scored(OptionalDouble.of(score))).isEqualTo(CheckpointFacts.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"NaN", "Infinity", "0x1p3", "1d", "1e5", "+1", "1.", "9E999", "x", "1 2"})
  void aTextThatIsNoScoreIsNone(String text) {
    assertThat(CheckpointFacts.of(PROGRAM.with("checkpoint.score", text)))
        .isEqualTo(CheckpointFacts.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2026-11-23", "2026-13-01T00:00:00Z", "1"})
  void aTextThatIsNoTimeIsNone(String text) {
    assertThat(CheckpointFacts.of(PROGRAM.with("checkpoint.time", text)))
        .isEqualTo(CheckpointFacts.NONE);
  }

  @Test
  void newFactsReplaceOldOnes() {
    Fingerprint once = CheckpointFacts.scored(OptionalDouble.of(1)).addedTo(PROGRAM);
    Fingerprint twice = CheckpointFacts.scored(OptionalDouble.of(2)).addedTo(once);

    assertThat(CheckpointFacts.of(twice).score()).hasValue(2);
    assertThat(CheckpointFacts.NONE.addedTo(twice)).isEqualTo(twice);
  }

  @Test
  void anAttemptToCommitDatesRankZero() {
    CheckpointId id = new CheckpointId(new GroupId("job", "group"), 1, 2);
    Digest digest = Digest.of(new byte[0]);
    List<ContainerSummary> containers =
        List.of(
            new ContainerSummary("b.chunks", 1, digest, List.of(1)).writtenBy(PROGRAM),
            new ContainerSummary("a.chunks", 1, digest, List.of(0)).writtenBy(PROGRAM),
            new ContainerSummary("c.chunks", 1, digest, List.of(0)));
    CheckpointManifest manifest =
        new CheckpointManifest(id, 2, Optional.empty(), Ancestry.NONE, "none", containers);

    CheckpointManifest attempt = manifest.attempt("nonce", NOW);

    assertThat(attempt.nonce()).isEqualTo("nonce");
    assertThat(CheckpointFacts.of(attempt.fingerprintOf(0)).sealed()).isPresent();
    assertThat(attempt.fingerprintOf(1)).isEqualTo(PROGRAM);
    assertThat(attempt.containers().get(2)).isEqualTo(containers.get(2));
  }
}
