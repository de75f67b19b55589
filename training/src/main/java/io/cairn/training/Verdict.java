package io.cairn.training;

import io.cairn.Certificate;
import io.cairn.CheckpointId;
import java.util.List;
import java.util.Optional;

/** The finding of a replay about a checkpoint. Immutable. */
public sealed interface Verdict {
  /** The checkpoint. */
  CheckpointId id();

  /** The replay ended in the checkpoint's bytes; the certificate lies beside the manifest. */
  record Certified(Certificate certificate) implements Verdict {
    @Override
    public CheckpointId id() {
      return certificate.id();
    }
  }

  /**
   * The replay ended in other bytes: the capture forgot a part of the state, memory was corrupted
   * before a capture, or the program is not deterministic.
   *
   * @param predecessor where the replay began; empty for the start of the training
   * @param differences regions whose bytes differ; parts of {@link ReplayedProgram#STATE} by name
   */
  record Refuted(CheckpointId id, Optional<CheckpointId> predecessor, List<String> differences)
      implements Verdict {
    /** Copies the list. */
    public Refuted {
      differences = List.copyOf(differences);
    }
  }

  /**
   * The replay shows nothing.
   *
   * @param reason such as another number of OpenMP threads, or that retention deleted the
   *     checkpoint
   */
  record Undecided(CheckpointId id, String reason) implements Verdict {}
}
