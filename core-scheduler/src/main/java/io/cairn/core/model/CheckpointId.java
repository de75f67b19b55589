package io.cairn.core.model;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One checkpoint of one group. Never reused: an epoch is taken by exclusive creation and iterations
 * rise within it. Newest means greatest (epoch, iteration); comparing ids of two groups orders them
 * by group first.
 *
 * @param group the group
 * @param epoch the epoch in which it was captured, at least 1
 * @param iteration the application's iteration, at least 0
 */
public record CheckpointId(GroupId group, long epoch, long iteration)
    implements Comparable<CheckpointId> {
  private static final Pattern DIRECTORY = Pattern.compile("e(\\d{6,18})-i(\\d{10,18})");
  private static final Comparator<CheckpointId> ORDER =
      Comparator.comparing((CheckpointId id) -> id.group().toString())
          .thenComparingLong(CheckpointId::epoch)
          .thenComparingLong(CheckpointId::iteration);

  /** Checks the ranges. */
  public CheckpointId {
    if (epoch < 1 || iteration < 0) {
      throw new IllegalArgumentException(
          "checkpoint of " + group + ": epoch " + epoch + ", iteration " + iteration);
    }
  }

  /** The directory that holds it at NODE and STORE, such as {@code e000003-i0000000042}. */
  public String directory() {
    return String.format("e%06d-i%010d", epoch, iteration);
  }

  /** The inverse of {@link #directory()}; empty if {@code name} is not such a directory. */
  public static Optional<CheckpointId> parse(GroupId group, String name) {
    Matcher matcher = DIRECTORY.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long epoch = Long.parseLong(matcher.group(1));
    return epoch < 1
        ? Optional.empty()
        : Optional.of(new CheckpointId(group, epoch, Long.parseLong(matcher.group(2))));
  }

  /** Epoch and iteration without the group, such as {@code e3-i42}. */
  public String label() {
    return "e" + epoch + "-i" + iteration;
  }

  @Override
  public int compareTo(CheckpointId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return group + " " + label();
  }
}
