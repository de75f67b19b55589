package io.cairn.flush.redundancy;

import java.util.List;

/**
 * Ranks in different failure domains whose data is protected together.
 *
 * @param ranks rising; their data are the pieces of a code, in this order
 * @param holders the failure domains that hold the parities, in their order; none is a domain of
 *     the ranks
 */
public record RedundancySet(List<Integer> ranks, List<String> holders) {
  /** Copies the lists. */
  public RedundancySet {
    ranks = List.copyOf(ranks);
    holders = List.copyOf(holders);
  }
}
