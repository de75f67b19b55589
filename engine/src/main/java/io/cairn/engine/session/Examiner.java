package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.RestoreReport.Attempt;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Reshape;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.OpenParts;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import java.io.Closeable;
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
    Examined examined =
        examined(
            planner.verify(id, member, staging, landing),
            copy ->
                regions.restore(copy.images(), copy.readers(), staging.forChunksOf(copy.images())));
    if (examined instanceof OwnData data) {
      requireFit(data.copy());
    }
    return examined;
  }

  /**
   * The examination that ends as this verification of the same rank's data.
   *
   * @param writing writes the memory that the data is for
   */
  static Examined examined(Verification verification, Writing writing) {
    if (verification instanceof VerifiedCopy copy) {
      return new OwnData(copy, writing);
    } else if (verification instanceof Verification.Refused refused) {
      return new Examined.Refused(refused.attempts(), refused.reason(), refused.retryable());
    }
    throw new IllegalStateException("no verification ends as " + verification);
  }

  /** Closes the copy if it does not fit. */
  private void requireFit(VerifiedCopy copy) {
    try {
      requireOwnSlices(copy);
      regions.checkShape(copy.images(), copy.id().toString());
      warn(copy.id(), regions.checkProgram(copy.program(), copy.id().toString(), start.accepted()));
    } catch (RuntimeException e) {
      OpenParts.closeAfter(copy, e);
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

  /** The result of examining one checkpoint for one rank. */
  sealed interface Examined {
    /** Copies that were tried, in order. */
    List<Attempt> attempts();

    /**
     * Data of which every needed chunk was read and matched its checksum. The caller closes it. Not
     * thread-safe.
     */
    sealed interface Good extends Examined, Closeable permits OwnData, ReshapedData {
      /** The checkpoint. */
      CheckpointId id();

      /**
       * The farthest level that a chunk was read from; that of the manifests, if none is needed.
       */
      Level level();

      /** The entries of this rank's data; none if the checkpoint was of fewer ranks. */
      Fingerprint program();

      /** The location of that copy, or of the manifests, for people. */
      String source();

      /** The regions that keep their bytes, by name. */
      List<String> dropped();

      /**
       * Writes the protected memory. Called once the group has agreed.
       *
       * @return bytes that were written
       * @throws IOException if a chunk has gone bad; the regions are in part overwritten then
       */
      long restore() throws IOException;
    }

    /**
     * Some needed chunk has no good copy.
     *
     * @param reason the missing data, for people
     * @param retryable whether a later try may succeed
     */
    record Refused(List<Attempt> attempts, String reason, boolean retryable) implements Examined {
      /** Copies the list. */
      public Refused {
        attempts = List.copyOf(attempts);
      }
    }
  }

  /** Writes memory from a copy, and returns how many bytes. */
  @FunctionalInterface
  interface Writing {
    long write(VerifiedCopy copy) throws IOException;
  }

  /** The data that the same rank wrote, in a group of the same size. Not thread-safe. */
  record OwnData(VerifiedCopy copy, Writing writing) implements Examined.Good {
    @Override
    public CheckpointId id() {
      return copy.id();
    }

    @Override
    public List<Attempt> attempts() {
      return copy.attempts();
    }

    @Override
    public Level level() {
      return copy.level();
    }

    @Override
    public Fingerprint program() {
      return copy.program();
    }

    @Override
    public String source() {
      return copy.source();
    }

    @Override
    public List<String> dropped() {
      return List.of();
    }

    @Override
    public long restore() throws IOException {
      return writing.write(copy);
    }

    @Override
    public void close() throws IOException {
      copy.close();
    }
  }
}
