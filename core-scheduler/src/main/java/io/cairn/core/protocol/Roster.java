package io.cairn.core.protocol;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Membership in a group: the incarnations that wait for the next epoch, and the members of this
 * one. It also records the ranks that left in order and the incarnations that are over. The
 * coordinator sends messages and numbers epochs. Not thread-safe.
 */
final class Roster {
  /** The most incarnations to remember that are over; no message is late by so many. */
  private static final int MAX_OVER = 10_000;

  private final int size;
  private final Map<Integer, String> waiting = new TreeMap<>();
  private final Map<Integer, String> members = new TreeMap<>();
  private final Set<Integer> left = new TreeSet<>();
  private final Set<String> over = new LinkedHashSet<>();

  /** The incarnations for which an epoch is being claimed. */
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

  /** Whether this incarnation waits for the next epoch. */
  boolean isWaiting(int rank, String incarnation) {
    return incarnation.equals(waiting.get(rank));
  }

  /** The ranks that have not joined, while others wait for them; empty if no rank waits. */
  SortedSet<Integer> missing() {
    SortedSet<Integer> missing = new TreeSet<>();
    for (int rank = 0; rank < size && !waiting.isEmpty(); rank++) {
      if (!waiting.containsKey(rank)) {
        missing.add(rank);
      }
    }
    return missing;
  }

  /** Whether a rank waits for the next epoch. */
  boolean anyWaits() {
    return !waiting.isEmpty();
  }

  /** Whether an epoch is being claimed, perhaps for ranks that wait no longer. */
  boolean isClaiming() {
    return claiming;
  }

  /** Whether this epoch has a member. */
  boolean anyIsMember() {
    return !members.isEmpty();
  }

  /** Whether every rank is a member of this epoch. */
  boolean isComplete() {
    return members.size() == size;
  }

  /** Whether every rank has joined, and none is a member yet. */
  boolean awaitsEpoch() {
    return waiting.size() == size;
  }

  /** Adds a waiting incarnation; returns the one that it replaced, which is over. */
  Optional<String> await(int rank, String incarnation) {
    Optional<String> replaced =
        Optional.ofNullable(waiting.put(rank, incarnation))
            .filter(before -> !before.equals(incarnation));
    replaced.ifPresent(this::end);
    return replaced;
  }

  /** An incarnation waits no longer, and is over. */
  void withdraw(int rank, String incarnation) {
    waiting.remove(rank, incarnation);
    end(incarnation);
  }

  /** Begins a claim if every rank waits and no claim is under way; returns whether it did. */
  boolean claim() {
    if (waiting.size() < size || claiming) {
      return false;
    }
    claiming = true;
    claimedFor = Map.copyOf(waiting);
    return true;
  }

  /**
   * The claim succeeded: the incarnations that it was for become members.
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

  /** The claim was refused; returns whether it was for those that wait now. */
  boolean claimRefused() {
    claiming = false;
    return claimedFor.equals(waiting);
  }

  /**
   * Returns the waiting incarnations, which are over. A claim that is under way stays so: a second
   * one beside it would fence the group that begins with the first.
   */
  Map<Integer, String> refuseWaiting() {
    return endAll(waiting);
  }

  /** The epoch ends before anything was resumed: its members wait for the next one. */
  void awaitAgain() {
    left.clear();
    waiting.putAll(members);
    members.clear();
  }

  /** The epoch ends: returns its members, which are over. */
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
