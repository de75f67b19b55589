package io.cairn.cli;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names that users give checkpoints: {@code e3-i42}, or that of the directory. Stateless. */
final class CheckpointName {
  private static final Pattern LABEL = Pattern.compile("e(\\d{1,18})-i(\\d{1,18})");

  private CheckpointName() {}

  /**
   * The checkpoint of a group with this name.
   *
   * @throws IllegalArgumentException if it is no name of a checkpoint
   */
  static CheckpointId parse(GroupId group, String name) {
    Matcher label = LABEL.matcher(name);
    if (!label.matches()) {
      throw new IllegalArgumentException(
          "'" + name + "' is no checkpoint: name it as 'cairn list' does, by epoch and iteration,"
              + " such as e3-i42");
    }
    return new CheckpointId(group, Long.parseLong(label.group(1)), Long.parseLong(label.group(2)));
  }

  /**
   * The checkpoint of one of these groups with this name.
   *
   * @param present which checkpoints a group has
   * @throws IllegalArgumentException if none has it, or several do
   */
  static CheckpointId find(List<GroupId> groups, String name, Present present)
      throws java.io.IOException {
    Optional<CheckpointId> found = Optional.empty();
    for (GroupId group : groups) {
      CheckpointId id = parse(group, name);
      if (present.has(id)) {
        if (found.isPresent()) {
          throw new IllegalArgumentException(
              name + " is a checkpoint of several groups; say which by --job and --group: "
                  + found.get().group() + ", " + group);
        }
        found = Optional.of(id);
      }
    }
    return found.orElseThrow(
        () -> new IllegalArgumentException("no checkpoint " + name + " in " + groups));
  }

  /** Knows checkpoints. */
  interface Present {
    boolean has(CheckpointId id) throws java.io.IOException;
  }
}
