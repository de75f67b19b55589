package io.cairn;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Something that happened to a checkpoint of this process. Counters, logs, metrics and user
 * interfaces all receive the same events. Immutable.
 */
public sealed interface CairnEvent {
  /**
   * The device has copied a rank's regions.
   *
   * @param bytes of all regions
   * @param blockedNanos how long the capture stopped the training thread
   */
  record Captured(CheckpointId id, Member member, long bytes, long blockedNanos)
      implements CairnEvent {}

  /**
   * Every lender holds its part of a rank's checkpoint that exceeds its process's cache.
   *
   * @param bytes of the leased slots
   * @param nanos since the capture began, with the wait for the plan
   */
  record Leased(CheckpointId id, Member member, long bytes, long nanos) implements CairnEvent {}

  /** A level of a checkpoint was settled for a rank. Every level of every ticket is, once. */
  record Settled(CheckpointId id, Member member, Level level, Outcome outcome)
      implements CairnEvent {}

  /**
   * A checkpoint has the same bytes as its predecessor in these regions of memory: most likely the
   * training updates other memory. Reported for a region ever less often while that lasts.
   */
  record Stale(CheckpointId id, Member member, Set<String> regions) implements CairnEvent {
    /** Copies the set. */
    public Stale {
      regions = Set.copyOf(regions);
    }
  }

  /** The device cache evicted a rank's checkpoint to make room. */
  record Evicted(CheckpointId id, int rank) implements CairnEvent {}

  /**
   * The device cache gives memory up, since the device had less free memory than the training is to
   * find. The memory is free when no checkpoint and no other process uses it any more.
   *
   * @param bytes that the cache has less
   * @param slots that it still has
   * @param freeBytes that the device had
   */
  record CacheShrank(long bytes, int slots, long freeBytes) implements CairnEvent {}

  /** A checkpoint that was held at DEVICE is lost there, since a lender lost its part. */
  record Withdrawn(CheckpointId id, Member member, String reason) implements CairnEvent {}

  /**
   * A rank whose state exceeds its own cache found no room at DEVICE several times in a row. From
   * now on its checkpoints go straight to the next level, as far as they are due there; the others
   * are skipped.
   *
   * @param id the last checkpoint that found no room
   * @param reason why that one found none
   */
  record FellBack(CheckpointId id, Member member, String reason) implements CairnEvent {}

  /** A rank that had fallen back found room at DEVICE again, with this checkpoint. */
  record HasRoomAgain(CheckpointId id, Member member) implements CairnEvent {}

  /**
   * A rank's checkpoint was written to a level.
   *
   * @param stateBytes of all regions
   * @param bytes of its containers, which are fewer where chunks are compressed
   */
  record Written(CheckpointId id, Level level, long stateBytes, long bytes) implements CairnEvent {}

  /** This process wrote chunks to NODE that it held for another process. */
  record LentFlushed(long bytes) implements CairnEvent {}

  /** This process wrote the checkpoint of another node's rank to STORE. */
  record StagedForOthers(long bytes) implements CairnEvent {}

  /** This process read a part of a rank's checkpoint from another node, over the network. */
  record ReadFromNode(long bytes) implements CairnEvent {}

  /** This process sent bytes of a checkpoint at its node to another one. */
  record ServedFromNode(long bytes) implements CairnEvent {}

  /** This node keeps a copy of another node's data from now on. */
  record KeptForPeer(long bytes) implements CairnEvent {}

  /**
   * A rank's copy was proven bad and set aside: no restore and no other node is offered it again.
   *
   * @param file the bad one, or the missing one
   * @param reason its damage
   */
  record Quarantined(CheckpointId id, Member member, Level level, String file, String reason)
      implements CairnEvent {}

  /**
   * A good copy took the place of a bad one.
   *
   * @param bytes of its containers
   */
  record Repaired(CheckpointId id, Member member, Level level, long bytes) implements CairnEvent {}

  /** A copy that a restore found bad has no good one in its place. A later restore tries again. */
  record NotRepaired(CheckpointId id, Member member, Level level, String reason)
      implements CairnEvent {}

  /** A rank was restored from a checkpoint. */
  record Restored(Member member, RestoreReport report) implements CairnEvent {}

  /**
   * A rank was closed that restored nothing and asked for no checkpoint: most likely nothing calls
   * its listener.
   */
  record Unused(Member member) implements CairnEvent {}

  /**
   * Work for a rank lasts, such as a capture, an agreement or a flush.
   *
   * @param work for people
   * @param lasts so far
   * @param thread that does it
   * @param stack of that thread, the innermost call first
   */
  record Hangs(
      Member member, String work, Duration lasts, String thread, List<StackTraceElement> stack)
      implements CairnEvent {
    /** Copies the list. */
    public Hangs {
      stack = List.copyOf(stack);
    }
  }

  /**
   * Settings name regions that a rank does not protect. Each name is reported once per process.
   *
   * @param names in settings such as {@code region.codec}
   */
  record UnknownRegions(Member member, Set<String> names) implements CairnEvent {
    /** Copies the set. */
    public UnknownRegions {
      names = Set.copyOf(names);
    }
  }
}
