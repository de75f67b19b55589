package io.cairn;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The checkpoints of one rank. Many ranks share one process. Not thread-safe: the training thread
 * owns it. The order of calls is: {@link #protect} every region, {@link #restore}, then {@link
 * #checkpoint} after each iteration.
 *
 * <p>A failure of checkpointing never fails the training; tickets report it. Methods throw for
 * mistakes of the caller, and if a requested restore is not possible.
 */
public interface Checkpointer extends AutoCloseable {
  /**
   * A value that {@link #describe} gives a checkpoint that fits programs with any value, or none.
   */
  String ANY = "any (imported)";

  /** The rank. */
  Member member();

  /** The epoch that the group holds now, at least 1. */
  long epoch();

  /** Like the other, with {@link RegionOptions#DEFAULT}. */
  default void protect(Region region) {
    protect(region, RegionOptions.DEFAULT);
  }

  /**
   * Adds a region to every later checkpoint and restore.
   *
   * @param options say how the levels below DEVICE store it, and what part it plays in the group;
   *     settings may replace the first
   * @throws IllegalArgumentException if the name or the memory is already protected, or the memory
   *     is of a kind that cannot be captured; the message names the kinds that can. Also if a loss
   *     is accepted for a region without floats or doubles, or the library of its compression is
   *     absent
   */
  void protect(Region region, RegionOptions options);

  /**
   * Describes the program further, besides its regions: a restore is refused if the checkpoint was
   * written by a program with another value. Call it before {@link #restore}.
   *
   * @param name such as {@code data}; one path segment. {@code label} and names that begin with
   *     {@code region}, {@code codec.}, {@code lossy.} or {@code checkpoint.} are reserved
   * @param value 1 to 128 printable ASCII characters, such as a version or a digest
   * @throws IllegalArgumentException if the name is taken, name or value are not legal, or the
   *     program has more entries than a manifest has room for
   */
  default void describe(String name, String value) {
    describe(name, value, there -> false);
  }

  /**
   * Like the other, of a program that has named the same thing otherwise before.
   *
   * @param same whether a value of a checkpoint means {@code value}; asked only of another one, by
   *     a restore on the training thread, and may call {@link #load}
   */
  void describe(String name, String value, Predicate<String> same);

  /**
   * Replaces a protected region whose memory moved. Later checkpoints and restores use the new
   * place, and the region keeps its options. A capture under way still reads the old one.
   *
   * @param region has the name, the kind, and for memory the length, of a protected region
   * @throws IllegalArgumentException if no region has that name, or its length or kind differs;
   *     also as {@link #protect} says
   */
  void relocate(Region region);

  /**
   * Gives the next checkpoint a score, such as a loss on held-out data, of the state that it
   * captures. STORE keeps the best ones by the setting {@code keep}, as far as they go to STORE.
   * The score of rank 0 is that of its group. It belongs to the next call of {@link #checkpoint} or
   * {@link #end} alone; a later score replaces it, and a restore drops it.
   *
   * @param ofNext one that is NaN or infinite counts as none
   */
  void score(double ofNext);

  /**
   * Captures every region. Returns at once or after the copy, depending on the device. The
   * application may write the regions again when {@link CheckpointTicket#captured()} completes.
   * Costs one copy of the regions.
   *
   * <p>Without room in the device cache the checkpoint is skipped, after the time that the setting
   * {@code capture.wait} allows. A rank whose regions exceed that cache and which found no other
   * room three times in a row writes them to the next level instead, if the checkpoint is due
   * there. This method then waits for that level, for the time of {@code closeTimeout} at most.
   *
   * @param iteration must rise within an epoch
   * @throws IllegalArgumentException if it does not
   * @throws java.util.concurrent.CancellationException if this rank's work was cancelled, and its
   *     training should end
   */
  CheckpointTicket checkpoint(long iteration);

  /**
   * Like {@link #checkpoint}, but a thread of Cairn copies the regions while the caller goes on,
   * for a training that does not write them for a while. Blobs are copied before it returns. The
   * caller waits by {@link #awaitCaptured()} before it writes a region again.
   *
   * <p>A device copies its own regions by itself, from this call on. If all of them name streams,
   * the wait is that of the streams: their work after {@link #awaitCaptured()} waits for the
   * copies, and no thread does.
   *
   * <p>If the regions together are no longer than a chunk, this method does as {@link #checkpoint}.
   * So it does by default. If the checkpoint finds no room in this process's device cache, it is
   * captured while the caller waits.
   *
   * <p>The checkpoint goes to no level before the caller has waited. A caller that has not waited
   * for each region when it asks for a later checkpoint, or for a later end, may have written under
   * the copy. The first checkpoint fails then, and its ticket names this reason. A restore, a load,
   * {@link #close} and an end with the same iteration wait by themselves.
   *
   * @param iteration as for {@link #checkpoint}
   */
  default CheckpointTicket checkpointBeside(long iteration) {
    return checkpoint(iteration);
  }

  /**
   * Waits until the regions that the last checkpoint captures may be written, and copies by itself
   * what no thread has begun to copy. An interruption does not end the wait for a copy. Returns at
   * once if nothing is under way. The ticket reports a capture that failed.
   *
   * @throws java.util.concurrent.CancellationException if the rank is cancelled or interrupted
   *     while it waits for room
   */
  default void awaitCaptured() {}

  /**
   * Like {@link #awaitCaptured()}, for one region: the others must not be written yet. For
   * trainings that write one region after the other. A region that no call waited for counts as
   * written, so the next checkpoint fails this one.
   *
   * @throws IllegalArgumentException if the checkpoint that is being copied has no region of that
   *     name
   */
  default void awaitCaptured(String region) {
    awaitCaptured();
  }

  /**
   * Ends a training: captures its last iteration for every level, whether it is due or not. Call it
   * instead of {@link #checkpoint}, or after it with the same iteration. {@link #close} then waits
   * until the checkpoint is at STORE, and the group counts as ended. Each rank of a coupled group
   * ends with the same iteration. A training that breaks off does not call it.
   *
   * <p>Without room in the device cache the rank waits as long as {@link #close} may. No full queue
   * rejects the checkpoint. The training may continue, and has not ended then. Until this
   * checkpoint is settled, full queues may reject that of a later call.
   *
   * @param iteration as for {@link #checkpoint}, or the last one again
   * @return the checkpoint's ticket. If the group has captured the last iteration already, its own
   *     one: {@link #close} sends it to the other levels. An iteration that was skipped or failed
   *     is captured now, once more. For that this method waits for the group's outcome, as long as
   *     {@link #close} may. If nothing was computed since a restore from STORE, no level is due. A
   *     checkpoint that STORE lacks is captured again
   * @throws IllegalArgumentException as {@link #checkpoint}
   * @throws java.util.concurrent.CancellationException if this rank's work was cancelled, or the
   *     thread was interrupted while it waited
   */
  CheckpointTicket end(long iteration);

  /**
   * Restores the newest checkpoint that verifies and that all ranks of the group can read. Every
   * rank calls it. After a checkpoint of this epoch it is a rollback, and the group takes a new
   * epoch. If a rank is lost meanwhile, the call waits for its return, up to the setting {@code
   * joinTimeout}, and goes on in the epoch that begins then.
   *
   * <p>The newest may be of another number of ranks, or of other slices, if every region has a
   * {@linkplain RegionOptions#layout layout}. Each rank then takes its part.
   *
   * @return what was restored and how, or empty if the group has no checkpoint
   * @throws RestoreException if there are checkpoints and none can be restored, or one is of
   *     another shape, program or number of ranks; if the restore of another rank fails, a lost
   *     rank does not return, or another attempt takes this rank's place. Nothing of the
   *     application's memory was written then
   */
  Optional<RestoreReport> restore();

  /**
   * Like {@link #restore()}, but of exactly this checkpoint. For a group of one, empty if it does
   * not exist, and nothing changes then; with several ranks that is a {@link RestoreException}.
   */
  Optional<RestoreReport> restore(CheckpointId id);

  /**
   * Like {@link #restore(CheckpointId)}, but of the newest whose iteration is below {@code
   * iteration}.
   */
  Optional<RestoreReport> restoreBefore(long iteration);

  /**
   * Begins without a restore, whatever the setting {@code resume} says: the group's checkpoints are
   * of something that has ended. Once there is a newer one, no restore goes back to them. Without
   * this call the first {@link #checkpoint} does the same, unless {@code resume} is {@code
   * require}, and warns if there are checkpoints. Every rank of the group calls it.
   *
   * @throws IllegalStateException after a restore or a checkpoint
   * @throws RestoreException if the group does not agree
   */
  void startAfresh();

  /**
   * The checkpoints that {@link #load} can read now, the newest first. The levels replace them by
   * newer ones at any time.
   */
  List<HeldCheckpoint> checkpoints();

  /**
   * Reads regions of a checkpoint into the caller's memory, verified as {@link #restore()} is. The
   * group rolls nothing back, and its epoch stays: the next checkpoint continues the present line
   * with the next iteration, even if {@code into} names protected memory. Each rank loads on its
   * own. The program that wrote the checkpoint does not matter, and regions not named are not read.
   * A region with the name of a protected slice takes the elements of that slice, whichever ranks
   * wrote them.
   *
   * @param into a region per name to be read, with memory of the saved size; protected or not. Of a
   *     blob only {@code load} is used
   * @return the report; empty if no level holds this rank's data of the checkpoint
   * @throws IllegalArgumentException if the checkpoint is of another group; also as {@link
   *     #protect}
   * @throws RestoreException if the checkpoint lacks a region, or one has another size or kind, or
   *     no good copy can be read. Nothing was written then, unless the message says so
   */
  Optional<RestoreReport> load(CheckpointId id, Region... into);

  /**
   * Ends this rank's part: sends the group's newest checkpoint to every level, and waits, within a
   * configured time, until its flushes end. Checkpoints at NODE and STORE stay. Only after {@link
   * #end} the training counts as ended; otherwise it stopped there, and may be resumed. A thread
   * whose interrupt status is set waits for nothing. Idempotent.
   */
  @Override
  void close();
}
