package io.cairn;

import io.cairn.internal.PaddedNumber;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One checkpoint of one group. Never reused: an epoch is taken by exclusive creation and iterations
 * rise within it. Newest means greatest (epoch, iteration); comparing ids of two groups orders them
 * by group first.
 *
 * @param group the group
 * @param epoch the epoch in which it was captured, 1 to {@link #MAX_EPOCH}
 * @param iteration the application's iteration, 0 to {@link #MAX_NUMBER}
 */
public record CheckpointId(GroupId group, long epoch, long iteration)
    implements Comparable<CheckpointId> {
  /** The greatest iteration that a directory's name can carry. */
  public static final long MAX_NUMBER = 999_999_999_999_999_999L;

  /** The greatest epoch. No group begins so often; a name with a greater number is no epoch's. */
  public static final long MAX_EPOCH = 9_999_999_999_999L;

  /**
   * The most epochs by which a claim may exceed the newest known one. Files of epochs may be lost,
   * and a process may learn of none for long, but no group begins so many meanwhile.
   */
  public static final long MOST_EPOCHS_AHEAD = 1_000_000;

  /** Between the epoch and the iteration in the name of a directory. */
  private static final String ITERATION = "-i";

  /** Checks the ranges. */
  public CheckpointId {
    if (epoch < 1 || epoch > MAX_EPOCH || iteration < 0 || iteration > MAX_NUMBER) {
      throw new IllegalArgumentException(
          "checkpoint of " + group + ": epoch " + epoch + ", iteration " + iteration);
    }
  }

  /** The directory that holds it at NODE and STORE, such as {@code e000003-i0000000042}. */
  public String directory() {
    return "e" + PaddedNumber.of(epoch, 6) + "-i" + PaddedNumber.of(iteration, 10);
  }

  /**
   * The inverse of {@link #directory()}; empty if {@code name} is not such a directory. No two
   * names give one id: other paddings of the same numbers are rejected.
   */
  public static Optional<CheckpointId> parse(GroupId group, String name) {
    int middle = name.indexOf(ITERATION);
    if (middle < 0 || name.charAt(0) != 'e') {
      return Optional.empty();
    }
    OptionalLong epoch = PaddedNumber.parse(name.substring(1, middle));
    OptionalLong iteration = PaddedNumber.parse(name.substring(middle + ITERATION.length()));
    if (epoch.isEmpty() || iteration.isEmpty()) {
      return Optional.empty();
    }
    return epoch.getAsLong() < 1 || epoch.getAsLong() > MAX_EPOCH
        ? Optional.empty()
        : Optional.of(new CheckpointId(group, epoch.getAsLong(), iteration.getAsLong()))
            .filter(id -> id.directory().equals(name));
  }

  /** Epoch and iteration without the group, such as {@code e3-i42}. */
  public String label() {
    return "e" + epoch + "-i" + iteration;
  }

  /**
   * Written out: the generated one is slow until it is compiled, and each capture needs several.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof CheckpointId that
            && epoch == that.epoch
            && iteration == that.iteration
            && group.equals(that.group));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * group.group().hashCode() + Long.hashCode(epoch)) + Long.hashCode(iteration);
  }

  @Override
  public int compareTo(CheckpointId other) {
    int byGroup =
        group.equals(other.group) ? 0 : group.toString().compareTo(other.group.toString());
    int byEpoch = byGroup != 0 ? byGroup : Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(iteration, other.iteration);
  }

  @Override
  public String toString() {
    return group + " " + label();
  }
}
