package io.cairn.lab.cluster;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CrashingStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.util.List;

/** A process's access to a medium, in the middle of whose calls other processes may run. */
record TurningStore(Turns turns, Actor actor, CrashingStore store, RandomNames names, Watch watch)
    implements CheckpointStore {
  /** Learns of changes, before they take place. */
  interface Watch {
    /** A directory is deleted. */
    void deleting(String directory);
  }

  /** Watches nothing. */
  static final Watch UNWATCHED = directory -> {};

  private void turn() {
    turns.interleave(actor);
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    names.use(path);
    turn();
    return store.create(path);
  }

  @Override
  public void publish(String from, String to) throws IOException {
    turn();
    store.publish(from, to);
    turn();
  }

  @Override
  public StoreInput open(String path) throws IOException {
    turn();
    return store.open(path);
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    turn();
    List<StoreEntry> entries = names.inOrder(store.list(directory));
    turn();
    return entries;
  }

  @Override
  public boolean delete(String path) throws IOException {
    turn();
    return store.delete(path);
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    turn();
    watch.deleting(directory);
    return store.deleteDirectory(directory);
  }

  @Override
  public void close() {}
}
