package io.cairn;

import java.util.List;

/**
 * The result of a restore.
 *
 * @param id the checkpoint that the application resumes from
 * @param level the farthest level that a chunk had to be read from
 * @param source the location of that copy, for people
 * @param bytes restored
 * @param attempts every copy that was tried, in order; the last one was used
 */
public record RestoreReport(
    CheckpointId id, Level level, String source, long bytes, List<Attempt> attempts) {
  /**
   * One copy that was tried.
   *
   * @param refusal why it was not used; empty if it was
   */
  public record Attempt(CheckpointId id, Level level, String refusal) {
    /** Whether it was used. */
    public boolean used() {
      return refusal.isEmpty();
    }

    @Override
    public String toString() {
      return id.label() + " at " + level + (used() ? ": used" : ": refused, " + refusal);
    }
  }

  /** Copies the list. */
  public RestoreReport {
    attempts = List.copyOf(attempts);
  }
}
