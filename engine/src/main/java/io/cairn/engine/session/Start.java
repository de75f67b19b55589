package io.cairn.engine.session;

import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.core.model.Fingerprint;
import io.cairn.engine.config.ResumePolicy;
import java.util.Set;

/**
 * How the ranks of a process start.
 *
 * @param label the user's name for what is trained; may be empty
 * @param run the same in all processes of this run, another at each start
 * @param policy which checkpoints they resume from
 * @param olderIfUnreadable whether they pass over a manifest at STORE that stays unreadable
 * @param accepted entries in which the program may differ from a checkpoint's
 */
public record Start(
    String label,
    String run,
    ResumePolicy policy,
    boolean olderIfUnreadable,
    Set<String> accepted) {
  /** Copies the set. */
  public Start {
    accepted = Set.copyOf(accepted);
  }

  /** Enters run and label into the fingerprint of a rank's program. */
  void describe(ProtectedRegions regions) {
    regions.describe(Fingerprint.RUN, run);
    if (!label.isEmpty()) {
      regions.describe("label", label);
    }
  }
}
