package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.session.RestoreReport.Attempt;
import java.util.List;

/**
 * What could be restored, before anything was read.
 *
 * @param choices checkpoints that count, fit the group and have this rank's data, newest first
 * @param otherSize checkpoints that count but were written by another number of ranks, newest
 *     first: to restore older ones instead would lose work silently, so a caller refuses
 * @param refused what was found and does not count, and why
 * @param damaged those of the refused whose manifest or data was found bad, at any level
 * @param unreachable sources that could not say what they have, and why; while there are any, an
 *     empty plan proves nothing
 */
public record Plan(
    List<Choice> choices,
    List<Choice> otherSize,
    List<Attempt> refused,
    List<CheckpointId> damaged,
    List<Unreachable> unreachable) {
  /** A source that could not say what it has. */
  public record Unreachable(Level level, String reason) {
    @Override
    public String toString() {
      return level + " " + reason;
    }
  }

  /**
   * One checkpoint.
   *
   * @param candidate as the rank offers it to its group
   * @param size ranks of the group that wrote it
   * @param levels where this rank's data is held, nearest first
   */
  public record Choice(Candidate candidate, int size, List<Level> levels) {
    /** Copies the list. */
    public Choice {
      levels = List.copyOf(levels);
    }

    /** The checkpoint. */
    public CheckpointId id() {
      return candidate.id();
    }
  }

  /** Copies all lists. */
  public Plan {
    choices = List.copyOf(choices);
    otherSize = List.copyOf(otherSize);
    refused = List.copyOf(refused);
    damaged = List.copyOf(damaged);
    unreachable = List.copyOf(unreachable);
  }
}
