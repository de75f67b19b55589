package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.RetentionPolicy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class MissingScoresTest {
  private static final RetentionPolicy TWO =
      RetentionPolicy.newest(1).andBest(2, RetentionPolicy.Order.LOWEST);

  private long iteration;

  /** A checkpoint whose rank 0 has this score, if any; rank 1 always has one. */
  private CheckpointManifest manifest(double... score) {
    OptionalDouble ofRank0 =
        score.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(score[0]);
    return new CheckpointManifest(
        new CheckpointId(new GroupId("job", "group"), 1, iteration++),
        2,
        Optional.empty(),
        Ancestry.NONE,
        "nonce",
        List.of(container(0, ofRank0), container(1, OptionalDouble.of(1))));
  }

  private static ContainerSummary container(int rank, OptionalDouble score) {
    return new ContainerSummary("c" + rank, 1, Digest.of(new byte[1]), List.of(rank))
        .writtenBy(CheckpointFacts.scored(score).addedTo(Fingerprint.NONE));
  }

  @Test
  void oneMoreThanAreKeptWithoutAScoreAreReportedOnce() {
    MissingScores scores = new MissingScores(TWO);

    assertThat(scores.sealed(manifest())).isEmpty();
    assertThat(scores.sealed(manifest())).isEmpty();
    assertThat(scores.sealed(manifest()))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith("job/group has no score for any of 3 checkpoints at STORE")
                    .contains("keep asks for the best 2", "Checkpointer.score on rank 0"));
    for (int more = 0; more < 10; more++) {
      assertThat(scores.sealed(manifest())).isEmpty();
    }
  }

  /** A training may evaluate its model seldom. */
  @Test
  void oneScoreIsEnough() {
    MissingScores scores = new MissingScores(TWO);

    assertThat(scores.sealed(manifest())).isEmpty();
    assertThat(scores.sealed(manifest(0.5))).isEmpty();
    for (int more = 0; more < 10; more++) {
      assertThat(scores.sealed(manifest())).isEmpty();
    }
  }

  @Test
  void nobodyScoresForAPolicyWithoutBest() {
    MissingScores scores = new MissingScores(RetentionPolicy.newest(1));

    for (int more = 0; more < 10; more++) {
      assertThat(scores.sealed(manifest())).isEmpty();
    }
  }
}
