package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what a group's training needs besides its checkpoints from one store to another: birth,
 * epochs, measurements and marks. So a training that resumes there takes a later epoch than any
 * that the group had, and finds the copies at NODE of its birth. Stateless; thread-safe.
 *
 * <p>A group goes on in one store. The other one may have no epoch that the first has not: else
 * checkpoints of two trainings under equal numbers would pass for one line.
 */
public final class GroupTransfer {
  private static final Logger LOG = LoggerFactory.getLogger(GroupTransfer.class);

  /** The text of an epoch whose file cannot be read where it was taken. */
  private static final String UNREADABLE = "";

  private final CheckpointStore from;
  private final CheckpointStore to;

  /** Brings groups from one store to another. */
  public GroupTransfer(CheckpointStore from, CheckpointStore to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Gives the group its birth and its epochs in the other store. To be called after the checkpoints
   * to be copied were listed, and before the first is copied, so that no training there takes an
   * epoch of theirs.
   *
   * @return why the group cannot be brought there; empty if it can, and its epochs are there
   * @throws IOException if a store fails; a later call goes on
   */
  public Optional<String> begin(GroupId group) throws IOException {
    Optional<String> birth = GroupBirth.find(from, group);
    Optional<String> there = GroupBirth.find(to, group);
    List<Long> epochs = new EpochFiles(from).taken(group);
    Optional<Long> foreign =
        new EpochFiles(to).taken(group).stream().filter(each -> !epochs.contains(each)).findFirst();
    if (foreign.isPresent()) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "epoch %d of %s was taken in %s alone: a training went on there",
              foreign.get(),
              group,
              to.describe()));
    }
    if (birth.isPresent() && there.isEmpty()) {
      there = Optional.of(GroupBirth.adopt(to, group, birth.get()));
    }
    if (there.isPresent() && !there.equals(birth)) {
      return Optional.of(
          "%s in %s is another life of the group, with births %s and %s"
              .formatted(group, to.describe(), there.get(), birth.orElse("unknown")));
    }
    return take(group, epochs);
  }

  private Optional<String> take(GroupId group, List<Long> epochs) throws IOException {
    for (long epoch : epochs) {
      if (!new EpochFiles(to).adopt(group, epoch, text(group, epoch))) {
        return Optional.of(
            String.format(
                Locale.ROOT,
                "epoch %d of %s was taken by other attempts in %s and %s",
                epoch,
                group,
                from.describe(),
                to.describe()));
      }
    }
    return Optional.empty();
  }

  /** An epoch counts whether its file can be read or not; a dead writer may have left it open. */
  private String text(GroupId group, long epoch) {
    try {
      return new EpochFiles(from).text(group, epoch).orElse(UNREADABLE);
    } catch (IOException e) {
      LOG.warn("Epoch {} of {} cannot be read in {}", epoch, group, from.describe(), e);
      return UNREADABLE;
    }
  }

  /**
   * Brings the measurements that were kept with a checkpoint. Nothing depends on them, so a failure
   * is logged.
   */
  public void measurements(CheckpointId id) {
    try {
      var learned = new GroupMemory(from).learned(id);
      if (learned.isPresent()) {
        new GroupMemory(to).keep(id, learned.get());
      }
    } catch (IOException e) {
      LOG.warn("The measurements of {} could not be copied to {}", id, to.describe(), e);
    }
  }

  /**
   * Marks the group in the other store as it is marked in the first one.
   *
   * @param newest the newest checkpoint that is there now
   * @throws IOException if a mark cannot be read or written
   */
  public void end(CheckpointId newest) throws IOException {
    GroupMemory here = new GroupMemory(from);
    GroupMemory there = new GroupMemory(to);
    GroupId group = newest.group();
    boolean any =
        from.list(StoreNames.epochs(group)).stream()
            .anyMatch(each -> StoreNames.anySealed(group).endsWith("/" + each.name()));
    if (any) {
      there.markAnySealed(group);
    }
    boolean newer = there.newestSealed(group).filter(id -> id.compareTo(newest) >= 0).isEmpty();
    if (here.newestSealed(group).isPresent() && newer) {
      there.markSealed(newest);
    }
    if (here.hasEnded(newest)) {
      there.markEnd(here.end(group).orElseThrow());
    }
  }
}
