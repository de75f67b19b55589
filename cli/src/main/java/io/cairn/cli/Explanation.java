package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreReport;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.PeriodBound;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Plan;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a restore of a group now, found by doing all of it but the writing of memory.
 *
 * @param sources where copies are looked for, nearest first
 * @param restored what would be restored; null if nothing would
 * @param tried copies that were read, in order
 * @param refused copies that were found and do not count, and why
 * @param older checkpoints that would be tried next, newest first
 * @param otherSize checkpoints of another number of ranks, which a restore takes only if all
 *     regions have layouts
 * @param setAside bad files that repairs set aside, which no restore reads
 * @param unreachable sources that could not say what they have, and why
 * @param passedOver checkpoints at STORE whose manifests cannot be read now, newest first; a
 *     restore asks again for {@code store.patience}
 * @param refusal why a restore fails although there is something to restore; empty if it does not
 * @param cadence the periods that the group had when it wrote its newest checkpoint
 */
record Explanation(
    String group,
    int size,
    List<Source> sources,
    @Nullable Restored restored,
    List<Attempt> tried,
    List<Attempt> refused,
    List<Older> older,
    List<String> otherSize,
    List<SetAside> setAside,
    List<String> unreachable,
    List<String> passedOver,
    String refusal,
    List<Period> cadence) {

  /** Iterations between two checkpoints at a level, and why they are not more. */
  record Period(Level level, long every, PeriodBound bound) {}

  /** A place. */
  record Source(Level level, String place) {}

  /** The farthest level is the farthest that a chunk of any rank comes from. */
  record Restored(String checkpoint, long epoch, long iteration, Level farthestLevel, long bytes) {}

  /** A copy of one rank's data, or of all ranks' for what was refused unread (rank −1). */
  record Attempt(int rank, String checkpoint, Level level, String refusal) {
    static Attempt of(int rank, RestoreReport.Attempt attempt) {
      return new Attempt(rank, attempt.id().label(), attempt.level(), attempt.refusal());
    }
  }

  /** A bad file, and whether a good one took its place there. */
  record SetAside(Level level, String checkpoint, String file, boolean replaced) {}

  /** A checkpoint that is not needed as long as a newer one is good. */
  record Older(String checkpoint, List<Level> levels) {}

  /**
   * Plans and verifies.
   *
   * @param ranks whose data is read, in order; of a group that the first of them belongs to
   */
  static Explanation of(
      List<CopySource> nearestFirst,
      List<Member> ranks,
      List<SetAside> setAside,
      List<String> unreachable,
      List<Period> cadence)
      throws IOException {
    RestorePlanner planner = new RestorePlanner(nearestFirst);
    Plan plan = planner.candidates(ranks.get(0));
    List<Attempt> tried = new ArrayList<>();
    Restored restored = null;
    int next = 0;
    String refusal = plan.refusal(true).orElse("");
    while (refusal.isEmpty() && next < plan.choices().size() && restored == null) {
      restored = restore(planner, plan.choices().get(next).id(), ranks, tried);
      next++;
    }
    List<String> gone = new ArrayList<>(unreachable);
    plan.unreachable().forEach(source -> gone.add(source.toString()));
    return new Explanation(
        ranks.get(0).group().toString(),
        ranks.get(0).size(),
        nearestFirst.stream().map(each -> new Source(each.level(), each.describe())).toList(),
        restored,
        tried,
        plan.refused().stream().map(each -> Attempt.of(-1, each)).toList(),
        plan.choices().stream()
            .skip(next)
            .map(each -> new Older(each.id().label(), each.levels()))
            .toList(),
        plan.otherSize().stream().map(each -> each.id().label() + " of " + each.size()).toList(),
        setAside,
        gone,
        plan.passedOver().stream().map(CheckpointId::label).toList(),
        refusal,
        cadence);
  }

  /** The periods that were kept with a group's newest checkpoint; empty if it kept none. */
  static List<Period> cadence(CheckpointStore store, GroupId group) throws IOException {
    SortedMap<CheckpointId, StoredCheckpoint> all = Inventory.list(store, group).checkpoints();
    Optional<Learned> learned =
        all.isEmpty() ? Optional.empty() : new GroupMemory(store).learned(all.lastKey());
    return learned.stream()
        .flatMap(
            known ->
                known.periods().entrySet().stream()
                    .map(
                        each ->
                            new Period(
                                each.getKey(),
                                each.getValue(),
                                known.bounds().getOrDefault(each.getKey(), PeriodBound.START))))
        .toList();
  }

  /** Whether there is nothing to restore, so that training would begin anew; not a failure. */
  boolean startsAnew() {
    return restored == null
        && tried.isEmpty()
        && refused.isEmpty()
        && otherSize.isEmpty()
        && unreachable.isEmpty();
  }

  private static @Nullable Restored restore(
      RestorePlanner planner, CheckpointId id, List<Member> ranks, List<Attempt> tried)
      throws IOException {
    StagingBuffer staging = new StagingBuffer();
    Level farthest = Level.DEVICE;
    long bytes = 0;
    for (Member member : ranks) {
      Verification verification = planner.verify(id, member, staging);
      verification.attempts().forEach(each -> tried.add(Attempt.of(member.rank(), each)));
      if (!(verification instanceof VerifiedCopy copy)) {
        return null;
      }
      farthest = farthest.compareTo(copy.level()) < 0 ? copy.level() : farthest;
      bytes += copy.bytes();
      copy.close();
    }
    return new Restored(id.label(), id.epoch(), id.iteration(), farthest, bytes);
  }
}
