package io.cairn.flush.restore;

import io.cairn.core.protocol.Candidate;
import java.util.Optional;

/**
 * What a source says of one checkpoint.
 *
 * @param size ranks of the group that wrote it; 0 if unknown
 * @param candidate the checkpoint, if its manifest can be read
 * @param own whether the data of the rank that asked is there
 * @param problem why it, or a part of it, does not count; empty if nothing is wrong
 */
public record Holding(int size, Optional<Candidate> candidate, boolean own, String problem) {

  /** A checkpoint with the asking rank's data, or only with other ranks'. */
  public static Holding of(int size, Candidate candidate, boolean own) {
    return new Holding(size, Optional.of(candidate), own, "");
  }

  /** A checkpoint that is there but cannot be used at all; not even its manifest can be read. */
  public static Holding unusable(String problem) {
    return new Holding(0, Optional.empty(), false, problem);
  }

  /** A checkpoint whose data is damaged, but whose manifest still tells its line of training. */
  public static Holding damaged(int size, Candidate candidate, String problem) {
    return new Holding(size, Optional.of(candidate), false, problem);
  }

  /** Whether anything of it can be used, by whatever rank. */
  boolean usable() {
    return candidate.isPresent() && (own || problem.isEmpty());
  }

  Holding withProblem(String reason) {
    return new Holding(size, candidate, own, reason);
  }
}
