package io.cairn;

import java.util.List;
import java.util.Map;
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
   * @param program that wrote the rank's data, by the names that it was {@linkplain
   *     Checkpointer#describe described} with
   * @param certificate empty if there is none, or it is of another manifest
   */
  record Stored(
      CheckpointId id,
      Digest manifest,
      Map<String, String> program,
      Optional<Certificate> certificate) {
    /** Copies the map. */
    public Stored {
      program = Map.copyOf(program);
    }
  }

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
