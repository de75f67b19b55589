package io.cairn.core.protocol;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.CoordinatorEvent.CommitEnded;
import io.cairn.core.protocol.MemberMessage.GaveUp;
import io.cairn.core.protocol.MemberMessage.Held;
import io.cairn.core.session.Outcome;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides, for one epoch, how each iteration ends at each level, from what its ranks report: sealed
 * when all hold it, given up when one cannot, and at STORE after a commit in the order of the
 * iterations. Does not know who may report, nor who is told: that is the coordinator's. Not
 * thread-safe; one per epoch.
 */
final class EpochSeals {
  /** Takes what is decided, at once and in order. */
  interface Decisions {
    /** An iteration ended at a level. */
    void settled(Seals.Key key, Outcome outcome);

    /** Every rank holds this for STORE; its commit's end is to be told. */
    void commit(CheckpointManifest manifest);
  }

  /** Iterations at DEVICE that are remembered; no cache keeps so many. */
  private static final int MOST_AT_DEVICE = 64;

  private final GroupId group;
  private final int size;
  private final long epoch;
  private final Decisions decisions;
  private final Seals seals;
  private final Map<Integer, Long> lastReported = new TreeMap<>();

  /** Ranks that left in order, and the last iteration that each may still bring down. */
  private final Map<Integer, Long> left = new TreeMap<>();

  /** The newest that are sealed at DEVICE and were not withdrawn since. */
  private final NavigableSet<Long> atDevice = new TreeSet<>();

  private Ancestry ancestry = Ancestry.NONE;
  private Optional<Parent> parent = Optional.empty();

  EpochSeals(GroupId group, int size, long epoch, Decisions decisions) {
    this.group = group;
    this.size = size;
    this.epoch = epoch;
    this.decisions = decisions;
    this.seals = new Seals(size);
  }

  /** The ranks go on from here, so what they capture continues it. */
  void resumed(CoordinatorMessage.Resume resume) {
    ancestry = resume.ancestry();
    parent = resume.parent();
  }

  /** A rank holds an iteration at a level. */
  void held(Held held) {
    Seals.Key key = new Seals.Key(held.iteration(), held.level());
    lastReported.merge(held.rank(), held.iteration(), Math::max);
    if (seals.held(key, held.rank(), held.container())) {
      if (held.level() == Level.STORE) {
        commit(key);
      } else {
        sealed(key);
      }
    }
    left.forEach(
        (rank, last) -> {
          if (key.iteration() > last) {
            settleWithout(key, rank);
          }
        });
    seals
        .trim()
        .forEach(old -> decisions.settled(old, new Outcome.Failed("not all ranks reported it")));
  }

  private void sealed(Seals.Key key) {
    if (key.level() == Level.DEVICE) {
      atDevice.add(key.iteration());
      if (atDevice.size() > MOST_AT_DEVICE) {
        atDevice.pollFirst();
      }
    }
    decisions.settled(key, new Outcome.Sealed(key.level()));
  }

  /** The newest iteration that all ranks have at DEVICE, by their last word; -1 if none. */
  long newestAtDevice() {
    return atDevice.isEmpty() ? -1 : atDevice.last();
  }

  /** A rank does not bring an iteration to a level: then the group does not. */
  void gaveUp(GaveUp gaveUp) {
    Seals.Key key = new Seals.Key(gaveUp.iteration(), gaveUp.level());
    lastReported.merge(gaveUp.rank(), gaveUp.iteration(), Math::max);
    if (gaveUp.level() == Level.DEVICE) {
      atDevice.remove(gaveUp.iteration());
    }
    if (seals.abandon(key)) {
      String reason =
          size == 1 ? gaveUp.reason() : "rank " + gaveUp.rank() + ": " + gaveUp.reason();
      decisions.settled(
          key, gaveUp.failed() ? new Outcome.Failed(reason) : new Outcome.Skipped(reason));
    }
  }

  /** What a rank captured before it left may still come down; later iterations will not. */
  void left(int rank) {
    long last = lastReported.getOrDefault(rank, -1L);
    left.put(rank, last);
    seals.unsettledAfter(last).forEach(key -> settleWithout(key, rank));
  }

  private void settleWithout(Seals.Key key, int rank) {
    if (seals.abandon(key)) {
      decisions.settled(key, new Outcome.Failed("rank " + rank + " left before this iteration"));
    }
  }

  private void commit(Seals.Key key) {
    CheckpointId id = new CheckpointId(group, epoch, key.iteration());
    if (parent.filter(newest -> newest.id().compareTo(id) > 0).isPresent()) {
      decisions.settled(
          key, new Outcome.Skipped("a newer checkpoint was sealed at STORE before it"));
    } else {
      decisions.commit(
          new CheckpointManifest(id, size, parent, ancestry, "unset", seals.containers(key)));
    }
  }

  /** A commit of this epoch ended; one of another epoch changes nothing. */
  void commitEnded(CommitEnded ended) {
    if (ended.id().epoch() != epoch) {
      return;
    }
    Outcome outcome;
    if (ended.outcome() instanceof CommitOutcome.Committed) {
      // commits may end in another order than the iterations have
      parent =
          parent
              .filter(newest -> newest.id().compareTo(ended.id()) > 0)
              .or(() -> Optional.of(new Parent(ended.id(), ended.digest())));
      outcome = new Outcome.Sealed(Level.STORE);
    } else if (ended.outcome() instanceof CommitOutcome.Failed failed) {
      outcome = new Outcome.Failed(failed.reason());
    } else {
      outcome = new Outcome.Failed("unknown whether committed: " + ended.outcome());
    }
    decisions.settled(new Seals.Key(ended.id().iteration(), Level.STORE), outcome);
  }
}
