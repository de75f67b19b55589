package io.cairn.flush.store;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SubdirectoryStoreTest extends CheckpointStoreContract {
  @TempDir Path directory;

  @Override
  protected CheckpointStore openEmpty() throws IOException {
    return new SubdirectoryStore(
        LocalStore.open(directory.resolve("store"), Durability.PROCESS), "job/group/life");
  }
}
