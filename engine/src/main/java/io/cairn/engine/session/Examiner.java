package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Reshape;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a checkpoint for one rank, compares it with the protected regions, and writes no memory of
 * the application. Not thread-safe: the training thread owns it.
 *
 * @param landing takes chunks until the group has agreed
 */
record Examiner(Member member, ProtectedRegions regions, Start start, Landing landing) {
  private static final Logger LOG = LoggerFactory.getLogger(Examiner.class);

  /**
   * Examines a checkpoint.
   *
   * @param size ranks of the group that wrote it
   * @param staging overwritten
   * @return good data, which the caller closes, or a refusal
   * @throws RestoreException if the checkpoint has other regions, is of another program, or its
   *     layouts do not allow a restore by this rank
   */
  Examined examine(RestorePlanner planner, CheckpointId id, int size, StagingBuffer staging) {
    boolean own =
        size == member.size()
            && !regions.layouts().slicedOtherwise(() -> planner.program(id, member));
    return own
        ? own(planner, id, staging)
        : ReshapedData.examine(planner, id, size, member, writers -> reshape(id, writers), staging);
  }

  private Examined own(RestorePlanner planner, CheckpointId id, StagingBuffer staging) {
    Verification verification = planner.verify(id, member, staging, landing);
    if (verification instanceof VerifiedCopy copy) {
      return checked(copy, staging);
    } else if (verification instanceof Verification.Refused refused) {
      return new Examined.Refused(refused.attempts(), refused.reason(), refused.retryable());
    }
    throw new IllegalStateException("no verification ends as " + verification);
  }

  private Examined checked(VerifiedCopy copy, StagingBuffer staging) {
    try {
      requireOwnSlices(copy);
      regions.checkShape(copy.images(), copy.id().toString());
      warn(copy.id(), regions.checkProgram(copy.program(), copy.id().toString(), start.accepted()));
      return new OwnData(copy, regions, staging);
    } catch (RuntimeException e) {
      try {
        copy.close();
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  /** The nearest copy may be another one than when the way of reading was chosen. */
  private void requireOwnSlices(VerifiedCopy copy) {
    if (regions.layouts().slicedOtherwise(copy::program)) {
      throw new RestoreException(
          "cannot restore %s: its copies name different slices for %s; restore() tries again"
              .formatted(copy.id(), member));
    }
  }

  private Reshape reshape(CheckpointId id, List<Fingerprint> writers) {
    Reshape reshape = regions.reshape(member.rank(), writers, id.toString(), start.accepted());
    warn(id, reshape.accepted());
    if (!reshape.dropped().isEmpty()) {
      LOG.info(
          "{} takes {} of another number of ranks, or with other slices, without {}",
          member,
          id,
          reshape.dropped());
    }
    return reshape;
  }

  private void warn(CheckpointId id, List<String> accepted) {
    if (!accepted.isEmpty()) {
      LOG.warn("{} accepts that another program wrote {}: {}", member, id, accepted);
    }
  }
}
