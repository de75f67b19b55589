package io.cairn.flush.store;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreMediaTest extends CheckpointStoreContract {
  @TempDir Path directory;

  @Override
  protected CheckpointStore openEmpty() throws IOException {
    return LocalStore.open(directory.resolve("store"), Durability.MEDIA);
  }
}
