package io.cairn.cli;

import io.cairn.GroupId;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.List;

/**
 * The stores that hold checkpoints of a group: at STORE the store itself, at NODE one per birth.
 */
final class Lives {
  private Lives() {}

  /** Those of a group; the store itself if it knows no births of the group. */
  static List<CheckpointStore> of(CheckpointStore store, GroupId group) throws IOException {
    List<CheckpointStore> lives = GroupBirth.lives(store, group);
    return lives.isEmpty() ? List.of(store) : lives;
  }
}
