package io.cairn.flush.restore;

import io.cairn.core.model.Ancestry;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a source says of one checkpoint.
 *
 * @param size ranks of the group that wrote it
 * @param ancestry what its epoch descends from
 * @param ranks whose data the source has, rising
 * @param problem why it, or a part of it, does not count; empty if nothing is wrong
 */
public record Candidate(int size, Ancestry ancestry, Set<Integer> ranks, String problem) {
  /** Copies the ranks. */
  public Candidate {
    ranks = Set.copyOf(new TreeSet<>(ranks));
  }

  /** A checkpoint of which these ranks' data is held. */
  public static Candidate of(int size, Ancestry ancestry, Set<Integer> ranks) {
    return new Candidate(size, ancestry, ranks, "");
  }

  /** A checkpoint that is there but cannot be used at all. */
  public static Candidate unusable(String problem) {
    return new Candidate(0, Ancestry.NONE, Set.of(), problem);
  }

  Candidate withProblem(String reason) {
    return new Candidate(size, ancestry, ranks, reason);
  }
}
