package io.cairn.engine.runtime;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;

/** A store whose every operation passes a gate first, which may wait or throw. Thread-safe. */
public final class GatedStore implements CheckpointStore {
  /** Is asked before something is written, read or listed. */
  public interface Gate {
    /** Lets everything pass. */
    Gate OPEN = (operation, path) -> {};

    /**
     * Waits, or throws, or returns.
     *
     * @param operation such as "create", "write", "sync", "publish", "open", "list" or "delete"
     */
    void pass(String operation, String path) throws IOException;

    /** This gate for what changes the store; reading and listing pass. */
    default Gate forWrites() {
      return (operation, path) -> {
        if (!READS.contains(operation)) {
          pass(operation, path);
        }
      };
    }

    /** This gate for what only looks. */
    default Gate forReads() {
      return (operation, path) -> {
        if (READS.contains(operation)) {
          pass(operation, path);
        }
      };
    }
  }

  private static final Set<String> READS = Set.of("open", "list");

  private final CheckpointStore below;
  private volatile Gate gate = Gate.OPEN;

  /** Every operation passes to this store, which is closed with it. */
  public GatedStore(CheckpointStore below) {
    this.below = below;
  }

  /** The gate from now on. */
  public void gate(Gate next) {
    gate = next;
  }

  @Override
  public String describe() {
    return below.describe();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    gate.pass("create", path);
    return new GatedOutput(below.create(path), path);
  }

  @Override
  public void publish(String from, String to) throws IOException {
    gate.pass("publish", to);
    below.publish(from, to);
  }

  @Override
  public StoreInput open(String path) throws IOException {
    gate.pass("open", path);
    return below.open(path);
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    gate.pass("list", directory);
    return below.list(directory);
  }

  @Override
  public boolean delete(String path) throws IOException {
    gate.pass("delete", path);
    return below.delete(path);
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    gate.pass("delete", directory);
    return below.deleteDirectory(directory);
  }

  @Override
  public void close() throws IOException {
    below.close();
  }

  private final class GatedOutput implements StoreOutput {
    private final StoreOutput below;
    private final String path;

    GatedOutput(StoreOutput below, String path) {
      this.below = below;
      this.path = path;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      gate.pass("write", path);
      below.write(bytes);
    }

    @Override
    public long position() {
      return below.position();
    }

    @Override
    public void sync() throws IOException {
      gate.pass("sync", path);
      below.sync();
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }
}
