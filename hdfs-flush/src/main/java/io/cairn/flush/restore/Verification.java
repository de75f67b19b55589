package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.RestoreReport.Attempt;
import java.util.List;

/** The result of verifying one rank's data of one checkpoint. */
public sealed interface Verification permits VerifiedCopy, Verification.Refused {
  /** The checkpoint. */
  CheckpointId id();

  /** All attempts to read a copy, nearest first; the last copy was used unless it was refused. */
  List<Attempt> attempts();

  /**
   * Some chunk has no good copy, or the rank has no copy at all.
   *
   * @param reason the missing data, for people
   * @param retryable whether a read failed without showing damage; another planner may succeed
   *     later
   */
  record Refused(CheckpointId id, List<Attempt> attempts, String reason, boolean retryable)
      implements Verification {
    /** Copies the list. */
    public Refused {
      attempts = List.copyOf(attempts);
    }
  }
}
