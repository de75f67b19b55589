package io.cairn.engine.nodes;

import io.cairn.GroupId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest.KeepParity;
import io.cairn.core.wire.PeerRequest.RankAt;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.events.Repeats;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.redundancy.RedundancySet;
import io.cairn.flush.redundancy.RedundancySets;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sets that this process's ranks form with ranks on other machines, and the orders to those who
 * keep their parities. A machine may have any number of processes and ranks. Every process asks the
 * others once per epoch which ranks they have, and computes the same sets. Thread-safe.
 */
final class ParitySets {
  private static final Logger LOG = LoggerFactory.getLogger(ParitySets.class);

  private final PeerSettings settings;
  private final RankPlaces places;
  private final LongSupplier nanoTime;
  private final Repeats repeats;
  private final Map<GroupId, Sets> known = new ConcurrentHashMap<>();

  /** The sets of a group in an epoch, by each of their ranks, and the processes of its ranks. */
  private record Sets(
      long epoch, Map<Integer, NodeSite> places, Map<Integer, RedundancySet> ofRank) {}

  ParitySets(PeerSettings settings, JoinedRanks joined, LongSupplier nanoTime) {
    this.settings = settings;
    this.places = new RankPlaces(joined, nanoTime);
    this.nanoTime = nanoTime;
    this.repeats = new Repeats(nanoTime);
  }

  /**
   * Has parities of the rank's set made; waits until all of them are kept.
   *
   * @param part the rank's part of the manifest, as at this node
   * @param birth of its group
   * @param givenUp whether the group gave the checkpoint up, so that nobody waits for it any more
   * @param holders receives each process before it is asked
   * @return those processes; empty if the whole group is in one failure domain and has no sets
   * @throws IOException if the places of the ranks are unknown, or a parity is not kept
   */
  Optional<List<NodeSite>> keep(
      Asking asking,
      OtherNodes others,
      CheckpointManifest part,
      String birth,
      BooleanSupplier givenUp,
      Consumer<NodeSite> holders)
      throws IOException {
    Sets sets = sets(asking, others, part);
    RedundancySet set = sets.ofRank().get(part.ranks().iterator().next());
    if (set == null) {
      return Optional.empty();
    }
    Map<NodeSite, KeepParity> orders = orders(sets, set, part, birth);
    orders.keySet().forEach(holders);
    send(asking, others, orders, part, givenUp);
    return Optional.of(List.copyOf(orders.keySet()));
  }

  /** Forgets a group that has no rank here any more. */
  void forget(GroupId group) {
    known.remove(group);
    places.forget(group);
  }

  private Sets sets(Asking asking, OtherNodes others, CheckpointManifest part) throws IOException {
    GroupId group = part.id().group();
    Sets sets = known.get(group);
    if (sets == null || sets.epoch() != part.id().epoch()) {
      sets = divide(part, places.find(asking, others, part));
      known.put(group, sets);
    }
    return sets;
  }

  private Sets divide(CheckpointManifest part, Map<Integer, NodeSite> places) throws IOException {
    Map<Integer, String> domains = new TreeMap<>();
    for (Map.Entry<Integer, NodeSite> place : places.entrySet()) {
      if (!place.getValue().knowsDomain()) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "rank %d at %s: its process does not know its failure domain, so there are no sets",
                place.getKey(),
                place.getValue()));
      }
      domains.put(place.getKey(), place.getValue().domain());
    }
    Map<Integer, RedundancySet> ofRank = new HashMap<>();
    for (RedundancySet set : RedundancySets.of(domains, settings.data(), settings.parities())) {
      set.ranks().forEach(rank -> ofRank.put(rank, set));
    }
    warnOfFewerParities(part, domains);
    return new Sets(part.id().epoch(), places, ofRank);
  }

  /** The process of rank 0 warns for the group, and less and less often with each epoch. */
  private void warnOfFewerParities(CheckpointManifest part, Map<Integer, String> domains) {
    GroupId group = part.id().group();
    if (part.ranks().contains(0)) {
      fewerParities(group, Set.copyOf(domains.values()).size(), settings.parities())
          .ifPresent(
              warning -> repeats.pass(group).ifPresent(more -> LOG.warn("{}{}", warning, more)));
    }
  }

  /**
   * The warning that there are too few failure domains for all parities; empty if there are not.
   */
  static Optional<String> fewerParities(GroupId group, int domains, int wanted) {
    int parities = Math.min(wanted, domains - 1);
    return parities == wanted || parities == 0
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%s is on %d failure domains, so PEER survives the loss of %d at once and not of"
                    + " the %d parities of peer, which need %d",
                group,
                domains,
                parities,
                wanted,
                wanted + 1));
  }

  private Map<NodeSite, KeepParity> orders(
      Sets sets, RedundancySet set, CheckpointManifest part, String birth) {
    List<RankAt> members = new ArrayList<>();
    for (int rank : set.ranks()) {
      members.add(new RankAt(rank, site(sets, rank)));
    }
    int turn = RankPart.turn(part.id().group(), set.ranks().get(0)); // equal for all its ranks
    List<NodeSite> keepers =
        set.holders().stream().map(domain -> keeper(sets, domain, turn)).toList();
    List<String> names = keepers.stream().map(NodeSite::node).toList();
    Map<NodeSite, KeepParity> orders = new LinkedHashMap<>();
    for (int index = 0; index < keepers.size(); index++) {
      orders.put(
          keepers.get(index),
          new KeepParity(
              part.id(),
              birth,
              settings.scheme().name().toLowerCase(Locale.ROOT),
              members,
              names,
              index,
              part.bytes()));
    }
    return orders;
  }

  private static NodeSite site(Sets sets, int rank) {
    NodeSite site = sets.places().get(rank);
    if (site == null) {
      throw new IllegalStateException("rank " + rank + " is in a set and at no node");
    }
    return site;
  }

  /** One process of a domain; the sets are spread over them. */
  private NodeSite keeper(Sets sets, String domain, int turn) {
    List<NodeSite> sites =
        sets.places().values().stream()
            .distinct()
            .filter(site -> site.domain().equals(domain))
            .sorted(Comparator.comparing(NodeSite::process))
            .toList();
    return sites.get(Math.floorMod(turn, sites.size()));
  }

  private void send(
      Asking asking,
      OtherNodes others,
      Map<NodeSite, KeepParity> orders,
      CheckpointManifest part,
      BooleanSupplier givenUp)
      throws IOException {
    Map<NodeSite, KeepParity> open = new LinkedHashMap<>(orders);
    long end = nanoTime.getAsLong() + Partners.longest(part.bytes() * settings.data()).toNanos();
    while (true) {
      if (givenUp.getAsBoolean()) { // such as by a rank whose part never comes to its node
        throw new SkippedException(
            "the group gave up " + part.id() + " while its parities were made");
      }
      Map<NodeSite, CompletableFuture<PeerReply.Keeping>> asked = new LinkedHashMap<>();
      open.forEach(
          (site, order) ->
              asked.put(
                  site,
                  others
                      .patienceWith(site.address())
                      .ask(site.address(), order, PeerReply.Keeping.class)));
      for (Map.Entry<NodeSite, CompletableFuture<PeerReply.Keeping>> answer : asked.entrySet()) {
        if (answer(asking, others, answer.getKey(), answer.getValue()) instanceof PeerReply.Kept) {
          open.remove(answer.getKey());
        }
      }
      if (open.isEmpty()) {
        return;
      } else if (nanoTime.getAsLong() - end >= 0) {
        throw new IOException(
            "%s keep no parity of %s: another rank's data is not at its node, or it takes too long"
                .formatted(open.keySet(), part.id()));
      }
      asking.pause(Partners.POLL);
    }
  }

  /** A holder that is silent costs the checkpoints after this one a short wait each. */
  private static PeerReply.Keeping answer(
      Asking asking, OtherNodes others, NodeSite site, CompletableFuture<PeerReply.Keeping> answer)
      throws IOException {
    try {
      PeerReply.Keeping reply = asking.await(answer, site);
      others.answers(site);
      return reply;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (Asking.isSilence(e)) {
        others.passOver(site);
      }
      throw e;
    }
  }
}
