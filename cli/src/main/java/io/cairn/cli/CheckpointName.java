package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
          "'"
              + name
              + "' is no checkpoint: name it as 'cairn list' does, by epoch and iteration,"
              + " such as e3-i42");
    }
    return new CheckpointId(group, Long.parseLong(label.group(1)), Long.parseLong(label.group(2)));
  }

  /**
   * The checkpoint of one of these groups with this name, if the store has a directory of it.
   *
   * @throws IllegalArgumentException if none has it, or several do
   * @throws IOException if a group cannot be listed
   */
  static CheckpointId find(List<GroupId> groups, String name, CheckpointStore in)
      throws IOException {
    List<CheckpointId> found = new ArrayList<>();
    for (GroupId group : groups) {
      CheckpointId id = parse(group, name);
      if (Inventory.list(in, group).everything().contains(id)) {
        found.add(id);
      }
    }
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          found.isEmpty()
              ? "no checkpoint " + name + " in " + in.describe() + "; see 'cairn list'"
              : name + " is in several groups; say which by --job and --group: " + found);
    }
    return found.get(0);
  }
}
