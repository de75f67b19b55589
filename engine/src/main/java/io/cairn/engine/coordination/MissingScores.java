package io.cairn.engine.coordination;

import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.RetentionPolicy;
import java.util.Locale;
import java.util.Optional;

/**
 * Notices that STORE is to keep a group's best checkpoints, while the training gives none a score.
 * Not thread-safe: the tasks of the group at STORE use it one at a time.
 */
final class MissingScores {
  private final int best;
  private int unscored;
  private boolean decided;

  /** Counts the seals of a group whose checkpoints at STORE are kept by this policy. */
  MissingScores(RetentionPolicy policy) {
    this.best = policy.best();
    this.decided = best == 0;
  }

  /**
   * Counts a seal at STORE.
   *
   * @return a warning, once, at the first seal of more than the policy keeps without a score
   */
  Optional<String> sealed(CheckpointManifest manifest) {
    if (decided) {
      return Optional.empty();
    }
    boolean scored =
        CheckpointFacts.of(ContainerSummary.program(manifest.containersOf(0))).score().isPresent();
    unscored++;
    decided = scored || unscored > best;
    return decided && !scored
        ? Optional.of(
            String.format(
                Locale.ROOT,
                ("%s has no score for any of %d checkpoints at STORE, although keep asks for the"
                    + " best %d, so none is kept as one of them. Call Checkpointer.score on rank 0"
                    + " before each checkpoint, or CairnTraining.scoredBy; or leave the rule out"),
                manifest.id().group(),
                unscored,
                best))
        : Optional.empty();
  }
}
