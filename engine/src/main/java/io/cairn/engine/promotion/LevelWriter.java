package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.restore.CopySource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One level below DEVICE: writes checkpoints there, offers them for reading, and deletes them. A
 * level has to write and to offer; the other methods do nothing by default. The calls come in this
 * order:
 *
 * <ol>
 *   <li>{@link #enter}, by the training thread of a rank that joins; again if the join is tried
 *       again.
 *   <li>{@link #begin}, by that thread, at the start of each epoch of the rank.
 *   <li>{@link #write}, on the level's stage, for each checkpoint that is due at the level.
 *   <li>{@link #settled}, by any thread, once the group knows the checkpoint's outcome. If another
 *       rank gave it up, that is before the write or during it.
 *   <li>On the level's stage: after a seal, {@link #leansOn} of each level that reads from this
 *       one, then {@link #retain}; after the group gave a checkpoint up, {@link #drop}.
 *   <li>{@link #left}, by the training thread of the last rank of a group in this process. Calls
 *       that wait on the stage may come later.
 * </ol>
 *
 * <p>{@link #copies} may be called at any time, by any thread. A stage makes one call at a time,
 * but that of STORE as many as {@code store.threads} says; each rank's checkpoints stay in order.
 */
public interface LevelWriter {
  /**
   * The copies at this level, for the steps that read from it and for restores.
   *
   * @param atStore the survey of STORE of the rank that restores; a level that others survey reads
   *     nothing but containers then
   */
  CopySource copies(Optional<RankSurvey> atStore);

  /**
   * A rank of the group is about to join. Does I/O.
   *
   * @return the group's birth and the greatest epoch, as far as this level knows them; empty if it
   *     knows neither
   * @throws IOException if the birth cannot be read
   */
  default Optional<Origin> enter(GroupId group) throws IOException {
    return Optional.empty();
  }

  /**
   * A rank of this process joined its group in a new epoch: marks it at this level, so that older
   * attempts notice. Does I/O, never fails.
   *
   * @param claimed whether STORE has the claim of the epoch; if not, this level marks nothing
   *     before its first {@link #write}
   */
  default void begin(Member member, long epoch, boolean claimed) {}

  /**
   * Writes one rank's data.
   *
   * @param nearest its copy at another level; every chunk is compared with its checksum
   * @return what the coordinator's manifest must name; none if this method published a manifest
   * @throws SupersededException if a later epoch of the group exists
   * @throws SkippedException if the level cannot take the checkpoint now
   * @throws IOException if the data did not reach the level; nothing there counts then
   */
  List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) throws IOException;

  /**
   * The group settled a checkpoint of this rank at this level, or it failed at a level that reads
   * from this one. Does no I/O.
   */
  default void settled(CheckpointId id, int rank, Outcome outcome) {}

  /**
   * The checkpoints of a group whose copies at the level that this one reads from are a part of
   * what this level promises. That level keeps them. Runs on that level's stage.
   *
   * @param sealed whether a checkpoint is known to be sealed at this level
   * @param inUse are kept in any case, and need not be found
   * @throws IOException if they are unknown; nothing is deleted then
   */
  default Set<CheckpointId> leansOn(
      GroupId group, Predicate<CheckpointId> sealed, Set<CheckpointId> inUse) throws IOException {
    return Set.of();
  }

  /**
   * Deletes what newer sealed checkpoints replace. A level whose copies the coordinator retains
   * does nothing.
   *
   * @param newest sealed at this level
   * @param sealed whether the whole group has a checkpoint at this level
   * @param needed checkpoints that another level still reads
   */
  default void retain(CheckpointId newest, Predicate<CheckpointId> sealed, Set<CheckpointId> needed)
      throws IOException {}

  /** Deletes a checkpoint that the group gave up at this level, if anything of it is there. */
  default void drop(CheckpointId id) throws IOException {}

  /**
   * No rank of the group is in this process any more. Does no I/O.
   *
   * @param ended the epoch with which the training ended in order, if it did: its last checkpoint
   *     is at STORE, so copies at other levels are not needed
   */
  default void left(GroupId group, OptionalLong ended) {}
}
