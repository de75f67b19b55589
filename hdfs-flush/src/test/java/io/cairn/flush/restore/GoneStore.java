package io.cairn.flush.restore;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.util.List;

/** A store that cannot be reached. */
final class GoneStore implements CheckpointStore {
  private static IOException gone() {
    return new IOException("connection refused");
  }

  @Override
  public String describe() {
    return "hdfs://gone";
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    throw gone();
  }

  @Override
  public void publish(String from, String to) throws IOException {
    throw gone();
  }

  @Override
  public StoreInput open(String path) throws IOException {
    throw gone();
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    throw gone();
  }

  @Override
  public boolean delete(String path) throws IOException {
    throw gone();
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    throw gone();
  }

  @Override
  public void close() {}
}
