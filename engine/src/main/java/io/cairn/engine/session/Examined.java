package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

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

    /** The farthest level that a chunk was read from; that of the manifests, if none is needed. */
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
