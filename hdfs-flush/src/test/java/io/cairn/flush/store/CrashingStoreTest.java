package io.cairn.flush.store;

class CrashingStoreTest extends CheckpointStoreContract {
  @Override
  protected CheckpointStore openEmpty() {
    return new CrashingStore(0);
  }
}
