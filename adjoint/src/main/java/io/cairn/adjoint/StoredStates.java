package io.cairn.adjoint;

import io.cairn.Cairn;
import io.cairn.Member;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.StateStore;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;

/**
 * The states of one rank at STORE, in a directory beside the checkpoints of its group. Thread-safe.
 *
 * <pre>{@code
 * HistoryPlaces.on(device).withStore(StoredStates.of(cairn, checkpointer.member()), 1L << 40);
 * }</pre>
 */
public final class StoredStates implements StateStore {
  private final CheckpointStore store;
  private final Duration patience;

  private StoredStates(CheckpointStore store, Duration patience) {
    this.store = store;
    this.patience = patience;
  }

  /**
   * Those of a rank that joined.
   *
   * @param cairn stays open as long as the {@link History}
   * @throws IllegalArgumentException if it is not of {@link Cairn#open} or {@link Cairn#current}
   */
  public static StoredStates of(Cairn cairn, Member rank) {
    if (!(cairn instanceof CairnEngine engine)) {
      throw new IllegalArgumentException(cairn + " has no store: open it by Cairn.open");
    }
    CheckpointStore states = new SubdirectoryStore(engine.store(), StoreNames.states(rank));
    return new StoredStates(states, engine.config().storePatience());
  }

  @Override
  public String describe() {
    return store.describe();
  }

  @Override
  public Duration patience() {
    return patience;
  }

  @Override
  public Output create(String name) throws IOException {
    return new Written(store.create(name));
  }

  @Override
  public Input open(String name) throws IOException {
    return new Read(store.open(name));
  }

  @Override
  public List<String> names() throws IOException {
    return store.list("").stream()
        .filter(entry -> !entry.directory())
        .map(StoreEntry::name)
        .toList();
  }

  @Override
  public void delete(String name) throws IOException {
    store.delete(name);
  }

  private record Written(StoreOutput output) implements Output {
    @Override
    public void write(ByteBuffer bytes) throws IOException {
      output.write(bytes);
    }

    @Override
    public void commit() throws IOException {
      output.sync();
      output.close();
    }

    @Override
    public void close() throws IOException {
      output.close();
    }
  }

  private record Read(StoreInput input) implements Input {
    @Override
    public long length() throws IOException {
      return input.length();
    }

    @Override
    public void readFully(long position, ByteBuffer into) throws IOException {
      input.readFully(position, into);
    }

    @Override
    public void close() throws IOException {
      input.close();
    }
  }
}
