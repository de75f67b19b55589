package io.cairn.core.protocol;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who is in a group: which incarnation of each rank waits for the next epoch, which are members of
 * this one, which ranks left it in order, and which incarnations are over for good. Tells nobody
 * and numbers no epoch; that is the coordinator's. Not thread-safe.
 */
final class Roster {
  /** Incarnations that are over, before the oldest is forgotten; no message is late by so many. */
  private static final int MAX_OVER = 10_000;

  private final int size;
  private final Map<Integer, String> waiting = new TreeMap<>();
  private final Map<Integer, String> members = new TreeMap<>();
  private final Set<Integer> left = new TreeSet<>();
  private final Set<String> over = new LinkedHashSet<>();

  /** Whom the claim that is under way is for. */
  private Map<Integer, String> claimedFor = Map.of();

  private boolean claiming;

  Roster(int size) {
    this.size = size;
  }

  /** The incarnations of this epoch's members, by rank. */
  Map<Integer, String> members() {
    return members;
  }

  boolean isMember(int rank) {
    return members.containsKey(rank);
  }

  boolean isMember(int rank, String incarnation) {
    return incarnation.equals(members.get(rank));
  }

  boolean hasLeft(int rank) {
    return left.contains(rank);
  }

  boolean isOver(String incarnation) {
    return over.contains(incarnation);
  }

  /** Has an incarnation wait; returns the other one that waited in its place, which is over. */
  Optional<String> await(int rank, String incarnation) {
    Optional<String> replaced =
        Optional.ofNullable(waiting.put(rank, incarnation))
            .filter(before -> !before.equals(incarnation));
    replaced.ifPresent(this::end);
    return replaced;
  }

  /** Begins a claim for all that wait, if every rank does and none is under way; whether it did. */
  boolean claim() {
    if (waiting.size() < size || claiming) {
      return false;
    }
    claiming = true;
    claimedFor = Map.copyOf(waiting);
    return true;
  }

  /**
   * The claim was answered with an epoch: those that it was for are members from now on.
   *
   * @return false if others wait by now, since an epoch belongs to those it was claimed for
   */
  boolean begin() {
    claiming = false;
    if (!claimedFor.equals(waiting)) {
      return false;
    }
    members.putAll(waiting);
    waiting.clear();
    left.clear();
    return true;
  }

  /** The claim was refused: returns those that waited, which are over. */
  Map<Integer, String> turnAway() {
    claiming = false;
    return endAll(waiting);
  }

  /** The epoch ends for all: returns those that were its members, which are over. */
  Map<Integer, String> disband() {
    left.clear();
    return endAll(members);
  }

  /** A member leaves in order, and is over. */
  void leave(int rank) {
    Optional.ofNullable(members.remove(rank)).ifPresent(this::end);
    left.add(rank);
  }

  private Map<Integer, String> endAll(Map<Integer, String> ranks) {
    Map<Integer, String> ended = new TreeMap<>(ranks);
    ranks.clear();
    ended.values().forEach(this::end);
    return ended;
  }

  private void end(String incarnation) {
    over.add(incarnation);
    if (over.size() > MAX_OVER) {
      over.remove(over.iterator().next());
    }
  }
}
