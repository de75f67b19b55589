package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.session.RestoreReport.Attempt;
import java.util.List;

/** What became of the attempt to prove one rank's data of one checkpoint. */
public sealed interface Verification permits VerifiedCopy, Verification.Refused {
  /** The checkpoint. */
  CheckpointId id();

  /** Every copy that was tried, nearest first; the last one was used unless it was refused. */
  List<Attempt> attempts();

  /**
   * There is a chunk that no copy has, or no copy at all.
   *
   * @param reason what is missing, for people
   * @param retryable whether a copy could not be read, but was not seen to be bad: another planner
   *     may find it good a moment later
   */
  record Refused(CheckpointId id, List<Attempt> attempts, String reason, boolean retryable)
      implements Verification {
    /** Copies the list. */
    public Refused {
      attempts = List.copyOf(attempts);
    }
  }
}
