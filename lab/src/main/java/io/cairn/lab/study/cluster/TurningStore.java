package io.cairn.lab.study.cluster;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.util.List;

/** A process's access to a medium, in the middle of whose calls other processes may run. */
final class TurningStore implements CheckpointStore {
  private final Turns turns;
  private final Actor actor;
  private final CrashingStore store;
  private final RandomNames names;
  private final Watch watch;

  /** Whether the process has opened it, which compares its name. */
  private boolean opened;

  TurningStore(Turns turns, Actor actor, CrashingStore store, RandomNames names, Watch watch) {
    this.turns = turns;
    this.actor = actor;
    this.store = store;
    this.names = names;
    this.watch = watch;
  }

  /** Learns of changes, before they take place. */
  interface Watch {
    /** A directory is deleted. */
    void deleting(String directory);
  }

  /** Watches nothing. */
  static final Watch UNWATCHED = directory -> {};

  private void turn() throws IOException {
    turns.interleave(actor);
    if (!opened && store.medium().isUnmounted()) {
      throw new IOException(describe() + " is not the store that is expected there");
    }
    opened = true;
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
