package io.cairn.flush.restore;

import io.cairn.core.protocol.Candidate;
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
  /** How much a problem proves. */
  public enum Proof {
    /** The data, or a part of it, is damaged. */
    DAMAGE,
    /** Nothing: a later read may find the checkpoint whole. */
    PASSING,
    /** Nothing: only a mark shows that there was a checkpoint. */
    HEARSAY
  }

  /** A checkpoint without defects. */
  public static Holding of(int size, Candidate candidate, boolean own) {
    return new Holding(size, Optional.of(candidate), own, "", Proof.DAMAGE);
  }

  /** A checkpoint without a legal manifest. */
  public static Holding unusable(String problem) {
    return new Holding(0, Optional.empty(), false, problem, Proof.DAMAGE);
  }

  /** A checkpoint whose manifest cannot be read now. */
  public static Holding unread(String problem) {
    return new Holding(0, Optional.empty(), false, problem, Proof.PASSING);
  }

  /** A checkpoint of which only a mark is left. */
  public static Holding lost(String problem) {
    return new Holding(0, Optional.empty(), false, problem, Proof.HEARSAY);
  }

  /** A checkpoint whose data is damaged, but whose manifest still determines its line. */
  public static Holding damaged(int size, Candidate candidate, String problem) {
    return new Holding(size, Optional.of(candidate), false, problem, Proof.DAMAGE);
  }

  /** Whether any rank can use the checkpoint. */
  boolean usable() {
    return candidate.isPresent() && (own || problem.isEmpty());
  }

  /** The same, of which another part has a problem. If any may pass, nothing is proven yet. */
  Holding withProblemOf(Holding part) {
    boolean passing = proof == Proof.PASSING || part.proof == Proof.PASSING;
    return new Holding(size, candidate, own, part.problem, passing ? Proof.PASSING : Proof.DAMAGE);
  }
}
