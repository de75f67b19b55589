package io.cairn.engine.nodes;

import io.cairn.flush.commit.Written;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The group whose data staging servers write. */
final class StagingOwner {
  static final String BIRTH = "0123abcd-0000-4000-8000-000000000000";

  private StagingOwner() {}

  /** Claims epoch 1 of the group at STORE, for its birth. */
  static void claim(CheckpointStore store) throws IOException {
    String claim = "a test\n\nbirth " + BIRTH + "\n";
    try (StoreOutput out = store.create(StoreNames.epoch(Written.GROUP, 1))) {
      out.write(ByteBuffer.wrap(claim.getBytes(StandardCharsets.UTF_8)));
      out.sync();
    }
  }
}
