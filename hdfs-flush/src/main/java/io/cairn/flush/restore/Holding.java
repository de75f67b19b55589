package io.cairn.flush.restore;

import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import java.util.Optional;

/**
 * One checkpoint as reported by a source.
 *
 * @param size ranks of the group that wrote it; 0 if unknown
 * @param candidate the checkpoint, if its manifest can be read
 * @param own whether the source holds the asking rank's data
 * @param problem the reason why it, or a part of it, does not count; empty if there is none
 * @param proof how much the problem proves
 */
public record Holding(
    int size, Optional<Candidate> candidate, boolean own, String problem, Proof proof) {
  /** A checkpoint without defects. */
  public static Holding of(int size, Candidate candidate, boolean own) {
    return new Holding(size, Optional.of(candidate), own, "", Proof.DAMAGE);
  }

  /** A checkpoint as a process reported it that listed the source. */
  public static Holding of(RankHolding listed, String problem) {
    return new Holding(
        listed.size(), listed.candidate(), !listed.containers().isEmpty(), problem, listed.proof());
  }

  /** Whether any rank can use the checkpoint. */
  boolean usable() {
    return candidate.isPresent() && (own || problem.isEmpty());
  }
}
