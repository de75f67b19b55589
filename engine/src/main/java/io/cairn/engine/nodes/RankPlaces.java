package io.cairn.engine.nodes;

import io.cairn.GroupId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Finds the processes of a group's ranks, by asking every other process, those of the own machine
 * included. Patient once per epoch: if a rank stays missing, later checkpoints of that epoch ask
 * once each, for {@value #SHORT_MILLIS} ms at most. Thread-safe.
 */
final class RankPlaces {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final long SHORT_MILLIS = 500;

  private final JoinedRanks joined;
  private final LongSupplier nanoTime;

  /** The epoch of each group in which a rank stayed missing. */
  private final Map<GroupId, Long> missed = new ConcurrentHashMap<>();

  /**
   * Nobody was asked yet.
   *
   * @param joined the ranks of this process
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  RankPlaces(JoinedRanks joined, LongSupplier nanoTime) {
    this.joined = joined;
    this.nanoTime = nanoTime;
  }

  /** Forgets a group that has no rank here any more. */
  void forget(GroupId group) {
    missed.remove(group);
  }

  /**
   * The process of each rank of a part's group, in its epoch.
   *
   * @throws IOException if the desk does not answer, or a rank is at no process that answers
   */
  Map<Integer, NodeSite> find(Asking asking, OtherNodes others, CheckpointManifest part)
      throws IOException {
    GroupId group = part.id().group();
    boolean patient = !Objects.equals(missed.get(group), part.id().epoch());
    long end = nanoTime.getAsLong() + (patient ? PATIENCE.toNanos() : 0);
    Asking within = patient ? asking : asking.within(Duration.ofMillis(SHORT_MILLIS));
    while (true) {
      Map<Integer, NodeSite> places = askOnce(within, others, part);
      if (places.size() == part.size()) {
        missed.remove(group);
        return places;
      } else if (nanoTime.getAsLong() - end >= 0) {
        missed.put(group, part.id().epoch());
        throw new IOException(
            String.format(
                Locale.ROOT,
                "ranks %s of %s, epoch %d, are at no node that answers, so no set of ranks is"
                    + " known",
                missing(places, part),
                group,
                part.id().epoch()));
      }
      asking.pause(POLL);
    }
  }

  private static Set<Integer> missing(Map<Integer, NodeSite> places, CheckpointManifest part) {
    Set<Integer> missing = new TreeSet<>();
    for (int rank = 0; rank < part.size(); rank++) {
      missing.add(rank);
    }
    missing.removeAll(places.keySet());
    return missing;
  }

  /** Waits for silent processes only while a rank is missing: they may be of a lost machine. */
  private Map<Integer, NodeSite> askOnce(Asking asking, OtherNodes others, CheckpointManifest part)
      throws IOException {
    PeerRequest.RanksOf question = new PeerRequest.RanksOf(part.id().group(), part.id().epoch());
    Map<Integer, NodeSite> places = new ConcurrentSkipListMap<>();
    joined.of(question.group(), question.epoch()).forEach(rank -> places.put(rank, others.self()));
    if (places.size() < part.size()) {
      others.register();
      CompletableFuture<Void> complete = new CompletableFuture<>();
      Stream<CompletableFuture<Void>> answers =
          others.processes().stream()
              .map(
                  site ->
                      asking
                          .ask(site.address(), question, PeerReply.Ranks.class)
                          .thenAccept(answer -> take(answer, site, part.size(), places, complete))
                          .exceptionally(silent -> null));
      CompletableFuture<Void> all =
          CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
      asking.await(CompletableFuture.anyOf(complete, all), "any other process");
    }
    return new TreeMap<>(places);
  }

  private static void take(
      PeerReply.Ranks answer,
      NodeSite site,
      int size,
      Map<Integer, NodeSite> places,
      CompletableFuture<Void> complete) {
    for (int rank : answer.ranks()) {
      if (rank >= 0 && rank < size) {
        places.putIfAbsent(rank, site);
      }
    }
    if (places.size() == size) {
      complete.complete(null);
    }
  }
}
