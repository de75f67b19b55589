package io.cairn.engine.events;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.RestoreReport;

/**
 * Is told what happens to the checkpoints of a process. Called on the process's own threads: must
 * return soon, and what it throws is logged and ignored.
 */
public interface CairnObserver {
  /** A level of a checkpoint was settled for a rank of this process. */
  default void settled(CheckpointId id, Member member, Level level, Outcome outcome) {}

  /**
   * A checkpoint has the same bytes as its predecessor in every region of memory; told once per
   * rank, and logged as an error: most likely the training updates other memory.
   */
  default void stale(CheckpointId id, Member member) {}

  /**
   * What was held at DEVICE for a rank of this process is there no more: a lender lost its part.
   */
  default void withdrawn(CheckpointId id, Member member, String reason) {}

  /** A rank of this process goes on from a checkpoint. */
  default void restored(Member member, RestoreReport report) {}
}
