package io.cairn.engine.session;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;

/**
 * The restore of a group of one, which waits for no other rank's vote. Each chunk is written to its
 * region as soon as it is verified, so it is copied once while the processor has it in its caches.
 * Used once, by the training thread.
 */
final class InPlaceRestore {
  private final Examiner examiner;
  private final StagingBuffer staging;
  private boolean begun;
  private long bytes;

  /**
   * A restore that has written nothing.
   *
   * @param staging overwritten
   */
  InPlaceRestore(Examiner examiner, StagingBuffer staging) {
    this.examiner = examiner;
    this.staging = staging;
  }

  /** Restores a checkpoint of this rank. Throws as {@link Examiner#examine} does. */
  Examined examine(RestorePlanner planner, CheckpointId id) {
    Verification verification = planner.verify(id, examiner.member(), this::write);
    if (verification instanceof VerifiedCopy copy) {
      return new OwnData(copy, () -> bytes);
    } else if (verification instanceof Verification.Refused refused) {
      String reason = refused.reason();
      return new Examined.Refused(
          refused.attempts(),
          begun ? reason + "; the protected regions are in part overwritten" : reason,
          refused.retryable());
    }
    throw new IllegalStateException("no verification ends as " + verification);
  }

  private void write(VerifiedCopy copy) throws IOException {
    examiner.requireOwn(copy);
    begun = true;
    bytes = examiner.restore(copy, staging);
  }
}
