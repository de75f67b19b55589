package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.CoordinatorEvent.CommitEnded;
import io.cairn.core.protocol.MemberMessage.GaveUp;
import io.cairn.core.protocol.MemberMessage.Held;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Decides, for one epoch, the outcome of each iteration at each level. An iteration is sealed when
 * all ranks hold it, and given up when one rank cannot hold it. At STORE a commit precedes the
 * seal, in the order of the iterations. The coordinator checks which ranks may report, and sends
 * the outcomes. Not thread-safe; one per epoch.
 */
final class EpochSeals {
  /** Takes each decision, at once and in order. */
  interface Decisions {
    /** An iteration ended at a level. */
    void settled(Seals.Key key, Outcome outcome);

    /** Every rank holds its part at STORE: the manifest is to be committed. */
    void commit(CheckpointManifest manifest);
  }

  /** The most iterations at DEVICE to remember; no cache keeps so many. */
  private static final int MOST_AT_DEVICE = 64;

  private final GroupId group;
  private final int size;
  private final long epoch;
  private final Decisions decisions;
  private final Seals seals;
  private final Map<Integer, Long> lastReported = new TreeMap<>();

  /** Ranks that left in order, and the last iteration that each may still flush. */
  private final Map<Integer, Long> left = new TreeMap<>();

  /** The newest iterations that are sealed at DEVICE and were not withdrawn since. */
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

  /** The ranks resumed: their next checkpoints descend from this one. */
  void resumed(CoordinatorMessage.Resume resume) {
    ancestry = resume.ancestry();
    parent = resume.parent();
  }

  /** A rank holds an iteration at a level. */
  void held(Held held) {
    Seals.Key key = new Seals.Key(held.iteration(), held.level());
    lastReported.merge(held.rank(), held.iteration(), Math::max);
    seals
        .held(key, held.rank(), held.containers())
        .ifPresent(
            containers -> {
              if (LevelSpec.of(held.level()).isCommitted()) {
                commit(key, containers);
              } else {
                sealed(key);
              }
            });
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

  /**
   * An iteration that some ranks hold at DEVICE.
   *
   * @param missing the ranks that have not reported it, in order; at least one
   */
  record Open(long iteration, Set<Integer> missing) {}

  /** The oldest iteration at DEVICE whose outcome is open. O(iterations remembered). */
  Optional<Open> oldestOpenAtDevice() {
    return seals.oldestOpen(Level.DEVICE).map(key -> new Open(key.iteration(), seals.missing(key)));
  }

  /** The newest iteration that all ranks hold at DEVICE by their last reports; -1 if none. */
  long newestAtDevice() {
    return newestAtDevice(Long.MAX_VALUE);
  }

  /** Like {@link #newestAtDevice()}, up to an iteration. */
  long newestAtDevice(long upTo) {
    Long newest = atDevice.floor(upTo);
    return newest == null ? -1 : newest;
  }

  /** Whether the outcome of an iteration at DEVICE is known. */
  boolean isSettledAtDevice(long iteration) {
    return seals.isSettled(new Seals.Key(iteration, Level.DEVICE));
  }

  /** The iteration of this epoch that was committed last; -1 if none. */
  long newestAtStore() {
    return parent
        .map(Parent::id)
        .filter(id -> id.epoch() == epoch)
        .map(CheckpointId::iteration)
        .orElse(-1L);
  }

  /** A rank gives an iteration up at a level, and so the group does. */
  void gaveUp(GaveUp gaveUp) {
    Seals.Key key = new Seals.Key(gaveUp.iteration(), gaveUp.level());
    lastReported.merge(gaveUp.rank(), gaveUp.iteration(), Math::max);
    if (gaveUp.level() == Level.DEVICE) {
      atDevice.remove(gaveUp.iteration());
    }
    if (seals.gaveUp(key, gaveUp.rank())) {
      String reason =
          size == 1 ? gaveUp.reason() : "rank " + gaveUp.rank() + ": " + gaveUp.reason();
      decisions.settled(
          key,
          switch (gaveUp.why()) {
            case FAILED -> new Outcome.Failed(reason);
            case SKIPPED -> new Outcome.Skipped(reason);
            case NOT_DUE -> new Outcome.NotDue(key.level());
          });
    }
  }

  /** Whether the group gave an iteration up at STORE, or its commit failed. */
  boolean isGivenUpAtStore(long iteration) {
    return seals.isAbandoned(new Seals.Key(iteration, LevelSpec.committed()));
  }

  /**
   * Tries once more to bring an iteration to STORE, if a rank gave it up there or its commit
   * failed. Every rank reports anew: it sends its data again, holds it still, or gives it up again.
   * It stays given up if a rank has left, which sends nothing any more.
   */
  void reopenAtStore(long iteration) {
    if (left.isEmpty()) {
      seals.reopen(new Seals.Key(iteration, LevelSpec.committed()));
    }
  }

  /**
   * A rank captures an iteration once more that the group gave up, and so will the others. A rank
   * that has left captures nothing, so all of them are told at once that it fails again.
   */
  void again(int reporter, long iteration) {
    for (Level level : Level.values()) {
      Seals.Key key = new Seals.Key(iteration, level);
      if (seals.again(key, reporter)) {
        left.keySet().forEach(rank -> settleWithout(key, rank));
      }
    }
  }

  /** A rank left: it may still flush earlier iterations, and will hold no later ones. */
  void left(int rank) {
    long last = lastReported.getOrDefault(rank, -1L);
    left.put(rank, last);
    seals.unsettledWithout(rank, last).forEach(key -> settleWithout(key, rank));
  }

  private void settleWithout(Seals.Key key, int rank) {
    if (seals.abandon(key)) {
      decisions.settled(key, new Outcome.Failed("rank " + rank + " left before this iteration"));
    }
  }

  private void commit(Seals.Key key, List<ContainerSummary> containers) {
    CheckpointId id = new CheckpointId(group, epoch, key.iteration());
    if (parent.filter(newest -> newest.id().compareTo(id) > 0).isPresent()) {
      decisions.settled(
          key, new Outcome.Skipped("a newer checkpoint was sealed at STORE before it"));
    } else {
      decisions.commit(new CheckpointManifest(id, size, parent, ancestry, "unset", containers));
    }
  }

  /** A commit of this epoch ended; one of another epoch changes nothing. */
  void commitEnded(CommitEnded ended) {
    if (ended.id().epoch() != epoch) {
      return;
    }
    Seals.Key key = new Seals.Key(ended.id().iteration(), LevelSpec.committed());
    Outcome outcome;
    if (ended.outcome() instanceof CommitOutcome.Committed) {
      // commits may end in another order than that of the iterations
      parent =
          parent
              .filter(newest -> newest.id().compareTo(ended.id()) > 0)
              .or(() -> Optional.of(new Parent(ended.id(), ended.digest())));
      outcome = new Outcome.Sealed(key.level());
    } else if (ended.outcome() instanceof CommitOutcome.Failed failed) {
      seals.uncommitted(key);
      outcome = new Outcome.Failed(failed.reason());
    } else if (ended.outcome() instanceof CommitOutcome.Unknown unknown) {
      seals.uncommitted(key);
      outcome = new Outcome.Failed("unknown whether committed: " + unknown);
    } else {
      throw new IllegalStateException("no commit ends as " + ended.outcome());
    }
    decisions.settled(key, outcome);
  }
}
