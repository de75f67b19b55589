package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.Proof;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The checkpoints of a group in a store, by its listing, for one rank or for all. Stateless. */
public final class ListedHoldings {
  private ListedHoldings() {}

  /**
   * Lists a group for one rank, the oldest checkpoint first. Reads every manifest, and no
   * container.
   *
   * @throws IOException if the group cannot be listed
   */
  public static List<RankHolding> of(CheckpointStore store, GroupId group, int rank)
      throws IOException {
    return of(Inventory.list(store, group), rank);
  }

  /** The surveys of these ranks, by rank. */
  public static Map<Integer, RankSurvey> surveys(
      Inventory.Listing listing, Collection<Integer> ranks) {
    Map<Integer, RankSurvey> surveys = new TreeMap<>();
    ranks.forEach(rank -> surveys.put(rank, new RankSurvey(of(listing, rank))));
    return surveys;
  }

  /** The checkpoints of a listing, for one rank, the oldest first. */
  public static List<RankHolding> of(Inventory.Listing listing, int rank) {
    Map<CheckpointId, RankHolding> holdings = new TreeMap<>();
    for (StoredCheckpoint stored : listing.checkpoints().values()) {
      holdings.put(stored.id(), holding(stored, rank));
    }
    for (Inventory.Problem problem : listing.problems()) {
      holdings.merge(problem.id(), holding(problem), ListedHoldings::withProblemOf);
    }
    listing.lost().ifPresent(id -> holdings.putIfAbsent(id, lost(id)));
    return List.copyOf(holdings.values());
  }

  private static RankHolding holding(StoredCheckpoint stored, int rank) {
    return new RankHolding(
        stored.id(),
        stored.size(),
        Optional.of(new Candidate(stored.id(), stored.digestFor(rank), stored.ancestry())),
        stored.containersOf(rank),
        "",
        Proof.DAMAGE);
  }

  private static RankHolding holding(Inventory.Problem problem) {
    if (problem.passing()) {
      return without(problem.id(), problem.path() + ": " + problem.reason(), Proof.PASSING);
    }
    // a readable manifest still determines the line, even if its data is damaged
    return problem
        .manifest()
        .map(
            manifest ->
                new RankHolding(
                    problem.id(),
                    manifest.size(),
                    Optional.of(
                        new Candidate(
                            manifest.id(), ManifestCodec.digest(manifest), manifest.ancestry())),
                    List.of(),
                    problem.reason(),
                    Proof.DAMAGE))
        .orElseGet(() -> without(problem.id(), problem.reason(), Proof.DAMAGE));
  }

  private static RankHolding lost(CheckpointId id) {
    return without(id, "was sealed here, and its manifest is gone", Proof.HEARSAY);
  }

  /** A checkpoint without a readable manifest. */
  private static RankHolding without(CheckpointId id, String problem, Proof proof) {
    return new RankHolding(id, 0, Optional.empty(), List.of(), problem, proof);
  }

  /** The same, of which another part has a problem. If any may pass, nothing is proven yet. */
  private static RankHolding withProblemOf(RankHolding whole, RankHolding part) {
    boolean passing = whole.proof() == Proof.PASSING || part.proof() == Proof.PASSING;
    return new RankHolding(
        whole.id(),
        whole.size(),
        whole.candidate(),
        whole.containers(),
        part.problem(),
        passing ? Proof.PASSING : Proof.DAMAGE);
  }
}
