package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.engine.events.Repeats;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies of this process at one level, and when they may be deleted: when newer checkpoints are
 * sealed there, or the group gave the checkpoint up, and no other level still reads it. Deletes on
 * the level's stage, after what was queued there before. Thread-safe.
 */
final class LevelCopies {
  private static final Logger LOG = LoggerFactory.getLogger(LevelCopies.class);

  /** Per group; more than any group keeps, and so few that thousands of groups need little. */
  static final int MAX_SEALED_KNOWN = 256;

  private record Reader(Level level, CheckpointId id, int rank) {}

  /** The seals of a group, and what other levels keep of it. */
  private record Seals(ConcurrentSkipListSet<CheckpointId> ofGroup, Leaning leaning) {}

  private final PromotionStep step;
  private final Repeats repeats;

  /** Other machines may hold the other ranks' parts, so the level itself does not show it. */
  private final Map<GroupId, ConcurrentSkipListSet<CheckpointId>> sealed =
      new ConcurrentHashMap<>();

  /** By groups with a deletion that has not begun. */
  private final Map<GroupId, Seals> queued = new ConcurrentHashMap<>();

  /** Due at a level that reads from this one, and not settled there yet. */
  private final Set<Reader> readers = ConcurrentHashMap.newKeySet();

  LevelCopies(PromotionStep step, Repeats repeats) {
    this.step = step;
    this.repeats = repeats;
  }

  /** The step that writes them. */
  PromotionStep step() {
    return step;
  }

  /** Keeps a checkpoint until the level that reads it is settled. */
  void keepFor(Level level, Promoted checkpoint) {
    Reader reader = new Reader(level, checkpoint.id(), checkpoint.rank());
    readers.add(reader);
    if (checkpoint.reporter().isSettled(level)) {
      // nobody would release it again
      readers.remove(reader);
    }
  }

  /**
   * Releases what {@link #keepFor} kept. Not before the whole group's checkpoint is settled at the
   * reading level: another rank's process may still read its part.
   *
   * @return whether it was kept
   */
  boolean release(Level level, CheckpointId id, int rank) {
    return readers.remove(new Reader(level, id, rank));
  }

  /** Forgets the seals of a group that has no rank here any more. */
  void forget(GroupId group) {
    sealed.remove(group);
  }

  /** The number of groups whose seals are remembered. */
  int groups() {
    return sealed.size();
  }

  /** Deletes a checkpoint that the group gave up; returns at once. */
  void drop(CheckpointId id) {
    var unused = soon("The rest of " + id, () -> step.writer().drop(id));
  }

  /** The checkpoints of one group that levels which read from this one keep here. */
  @FunctionalInterface
  interface Leaning {
    /**
     * Finds them, on the stage of this level.
     *
     * @param inUse are kept in any case, and need not be found
     * @throws IOException if they are unknown
     */
    Set<CheckpointId> find(Set<CheckpointId> inUse) throws IOException;
  }

  /**
   * The checkpoints that this level keeps at the level that it reads from; see {@link
   * LevelWriter#leansOn}. Takes the seals of the group now: the last deletion may run after {@link
   * #forget}.
   */
  Leaning leaning(GroupId group) {
    Set<CheckpointId> ofGroup = sealed.get(group);
    return inUse ->
        step.writer().leansOn(group, id -> ofGroup != null && ofGroup.contains(id), inUse);
  }

  /** Deletes what newer sealed checkpoints replace; returns at once. */
  void retain(CheckpointId newest, Leaning leaning) {
    ConcurrentSkipListSet<CheckpointId> ofGroup =
        sealed.computeIfAbsent(newest.group(), group -> new ConcurrentSkipListSet<>());
    ofGroup.add(newest);
    if (ofGroup.size() > MAX_SEALED_KNOWN) {
      ofGroup.pollFirst();
    }
    deleteOlder(newest.group(), new Seals(ofGroup, leaning));
  }

  /** Deletes what the newest sealed checkpoint of a group replaces; returns at once. */
  void retainAgain(GroupId group, Leaning leaning) {
    ConcurrentSkipListSet<CheckpointId> ofGroup = sealed.get(group);
    if (ofGroup != null && !ofGroup.isEmpty()) {
      deleteOlder(group, new Seals(ofGroup, leaning));
    }
  }

  /** One deletion, which has not begun, serves all seals of a group until it begins. */
  private void deleteOlder(GroupId group, Seals latest) {
    if (queued.put(group, latest) == null) {
      boolean taken =
          soon(
              "Old checkpoints of " + group,
              () -> {
                Seals seals = queued.remove(group);
                if (seals != null) {
                  deleteOlder(seals);
                }
              });
      if (!taken) {
        queued.remove(group);
      }
    }
  }

  private void deleteOlder(Seals seals) throws IOException {
    step.writer()
        .retain(seals.ofGroup().last(), seals.ofGroup()::contains, needed(seals.leaning()));
  }

  private Set<CheckpointId> needed(Leaning leaning) throws IOException {
    Set<CheckpointId> needed = readers.stream().map(Reader::id).collect(Collectors.toSet());
    needed.addAll(leaning.find(Set.copyOf(needed)));
    return needed;
  }

  private interface Deletion {
    void run() throws IOException;
  }

  private boolean soon(String what, Deletion deletion) {
    boolean taken =
        step.stage()
            .offer(
                0,
                () -> {
                  try {
                    deletion.run();
                  } catch (IOException e) {
                    repeats
                        .pass("delete at " + step.level())
                        .ifPresent(
                            more ->
                                LOG.warn(
                                    "{} could not be deleted at {}{}",
                                    what,
                                    step.level(),
                                    more,
                                    e));
                  }
                });
    if (!taken) {
      LOG.debug("{} stay at {} until the next seal: its stage is full", what, step.level());
    }
    return taken;
  }
}
