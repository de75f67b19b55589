package io.cairn.testkit;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStoreContract;

class CrashingStoreTest extends CheckpointStoreContract {
  @Override
  protected CheckpointStore openEmpty() {
    return new CrashingStore(0);
  }
}
