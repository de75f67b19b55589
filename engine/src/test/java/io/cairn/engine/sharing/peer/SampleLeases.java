package io.cairn.engine.sharing.peer;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.sharing.LeaseId;

/** Leases for tests. */
public final class SampleLeases {
  private SampleLeases() {}

  /** A lease of a holder, for rank 0 of one checkpoint. */
  public static LeaseId lease(String holder, long nonce) {
    return new LeaseId(holder, nonce, new CheckpointId(new GroupId("job", "group"), 1, 5), 0);
  }
}
