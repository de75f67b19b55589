package io.cairn;

import java.util.List;

/**
 * The result of a restore.
 *
 * @param id the checkpoint that the application resumes from
 * @param level the farthest level that a chunk had to be read from; of a restore that needed no
 *     chunk, that a manifest had to be read from
 * @param source the location of that copy or manifest, for people
 * @param bytes restored
 * @param dropped names of the regions that kept their bytes, since their layout is {@link
 *     Layout#perRankOrDropped()} and this rank resumes from another number of ranks, or with other
 *     slices than it had
 * @param attempts every copy that was tried, in order; the last one was used
 */
public record RestoreReport(
    CheckpointId id,
    Level level,
    String source,
    long bytes,
    List<String> dropped,
    List<Attempt> attempts) {
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

  /** Copies the lists. */
  public RestoreReport {
    dropped = List.copyOf(dropped);
    attempts = List.copyOf(attempts);
  }

  /** Of a restore of all regions. */
  public RestoreReport(
      CheckpointId id, Level level, String source, long bytes, List<Attempt> attempts) {
    this(id, level, source, bytes, List.of(), attempts);
  }
}
