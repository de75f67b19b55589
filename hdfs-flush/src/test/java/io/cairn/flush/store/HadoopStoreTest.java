package io.cairn.flush.store;

import java.io.IOException;

class HadoopStoreTest extends CheckpointStoreContract {
  @Override
  protected CheckpointStore openEmpty() throws IOException {
    return HadoopStore.open(EmbeddedHdfs.freshRoot(), EmbeddedHdfs.impatientClient());
  }
}
