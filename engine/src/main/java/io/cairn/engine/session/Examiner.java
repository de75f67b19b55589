package io.cairn.engine.session;

import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Reshape;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Member;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.session.RestoreException;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.SavedPrograms;
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
        size == member.size() && !regions.slicedOtherwise(() -> planner.program(id, member));
    return own ? own(planner, id, staging) : reshaped(planner, id, size, staging);
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

  private Examined reshaped(
      RestorePlanner planner, CheckpointId id, int size, StagingBuffer staging) {
    SavedPrograms saved = planner.programs(id, size);
    if (!saved.isOfAll(size)) {
      return new Examined.Refused(
          saved.attempts(),
          "manifests at this node and at STORE name the ranks %s of %d"
              .formatted(saved.byRank().keySet(), size),
          saved.retryable());
    }
    List<Fingerprint> programs = List.copyOf(saved.byRank().values());
    Reshape reshape = regions.reshape(member.rank(), programs, id.toString(), start.accepted());
    warn(id, reshape.accepted());
    LOG.info("{} takes its part of {} from {} ranks", member, id, size);
    return new ReshapedData(id, planner, reshape, staging).examine(member, size);
  }

  private void warn(CheckpointId id, List<String> accepted) {
    if (!accepted.isEmpty()) {
      LOG.warn("{} accepts that another program wrote {}: {}", member, id, accepted);
    }
  }
}
