package io.cairn.engine.sharing.lender;

import io.cairn.GroupId;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;

/** This node's copies, which each group has in a store of its own. Thread-safe. */
@FunctionalInterface
public interface NodeStores {
  /**
   * The store of a group at NODE.
   *
   * @throws IOException if the group is not known, or not now
   */
  CheckpointStore of(GroupId group) throws IOException;
}
