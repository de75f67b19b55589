package io.cairn.core.session;

import io.cairn.core.model.Certificate;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Digest;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Member;
import java.util.List;
import java.util.Optional;

/**
 * One rank's checkpoints at STORE, for a process that does not train: it joins no group and takes
 * no epoch, so it disturbs no training. Not thread-safe.
 */
public interface StoredCheckpoints {
  /**
   * A checkpoint that counts.
   *
   * @param manifest the digest of its manifest
   * @param program that wrote the rank's data
   * @param certificate empty if there is none, or it is of another manifest
   */
  record Stored(
      CheckpointId id, Digest manifest, Fingerprint program, Optional<Certificate> certificate) {}

  /** The rank. */
  Member member();

  /**
   * The sealed checkpoints on the group's line, newest first.
   *
   * @throws RestoreException if STORE cannot be read, or a certificate is damaged
   */
  List<Stored> checkpoints();

  /**
   * Reads regions of a checkpoint into the caller's memory, as {@link Checkpointer#load} says.
   *
   * @return the report; empty if STORE does not hold the checkpoint
   * @throws RestoreException if it lacks a region, one has another size, or it cannot be read
   */
  Optional<RestoreReport> load(CheckpointId id, List<Region> into);

  /**
   * Keeps a certificate beside the manifest. The first one of a checkpoint stays.
   *
   * @return whether the checkpoint has a certificate now; false if it is gone, or its manifest is
   *     another one
   * @throws RestoreException if STORE cannot be written
   */
  boolean certify(Certificate certificate);
}
