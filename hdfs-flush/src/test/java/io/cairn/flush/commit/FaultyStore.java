package io.cairn.flush.commit;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client of a store whose operations, counted from 0, fail as scripted, so that a test can try
 * every point. Other clients of the same store see the effects that took place.
 */
final class FaultyStore implements CheckpointStore {
  /** How an operation goes wrong. */
  enum Fault {
    /** It has no effect and throws. */
    REFUSED,
    /** It takes effect and throws. */
    REPLY_LOST,
    /** It throws, and takes effect when {@link #applyLate} is called, if it still can. */
    LATE
  }

  /** One operation of the store below. */
  private interface Operation<T> {
    T run() throws IOException;
  }

  private final CheckpointStore below;
  private final Map<Integer, Fault> faults = new TreeMap<>();
  private final Map<Integer, Runnable> before = new TreeMap<>();
  private final List<Operation<?>> late = new ArrayList<>();
  private int count;
  private int deadFrom = Integer.MAX_VALUE;

  FaultyStore(CheckpointStore below) {
    this.below = below;
  }

  /** Operation number {@code number} goes wrong. */
  FaultyStore fault(int number, Fault fault) {
    faults.put(number, fault);
    return this;
  }

  /** Something that happens just before operation number {@code number}. */
  FaultyStore before(int number, Runnable event) {
    before.put(number, event);
    return this;
  }

  /** The client dies: from this operation on nothing has an effect. */
  FaultyStore dieAt(int number) {
    deadFrom = number;
    return this;
  }

  /** Operations so far. */
  int count() {
    return count;
  }

  /** Lets the late ones take effect. */
  void applyLate() {
    for (Operation<?> operation : late) {
      try {
        operation.run();
      } catch (IOException e) {
        assert e.getMessage() != null; // it could not any more
      }
    }
    late.clear();
  }

  private <T> T run(String what, Operation<T> operation) throws IOException {
    int number = count++;
    before.getOrDefault(number, () -> {}).run();
    Fault fault = number >= deadFrom ? Fault.REFUSED : faults.get(number);
    if (fault == null) {
      return operation.run();
    }
    if (fault == Fault.LATE) {
      late.add(operation);
    } else if (fault == Fault.REPLY_LOST) {
      operation.run();
    }
    throw new IOException("scripted: " + what + " " + fault);
  }

  @Override
  public String describe() {
    return below.describe();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    StoreOutput out = run("create " + path, () -> below.create(path));
    return new StoreOutput() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        run(
            "write " + path,
            () -> {
              out.write(bytes);
              return true;
            });
      }

      @Override
      public long position() {
        return out.position();
      }

      @Override
      public void sync() throws IOException {
        run(
            "sync " + path,
            () -> {
              out.sync();
              return true;
            });
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  @Override
  public void publish(String from, String to) throws IOException {
    run(
        "publish " + to,
        () -> {
          below.publish(from, to);
          return true;
        });
  }

  @Override
  public boolean replace(String from, String to) throws IOException {
    return run("replace " + to, () -> below.replace(from, to));
  }

  @Override
  public StoreInput open(String path) throws IOException {
    return run("open " + path, () -> below.open(path));
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    return run("list " + directory, () -> below.list(directory));
  }

  @Override
  public boolean delete(String path) throws IOException {
    return run("delete " + path, () -> below.delete(path));
  }

  /** File by file, as a file system does, and in the worst order: manifests last. */
  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    List<StoreEntry> files = new ArrayList<>(below.list(directory));
    Collections.reverse(files);
    for (StoreEntry file : files) {
      String path = directory + "/" + file.name();
      run("delete directory, " + path, () -> below.delete(path));
    }
    return run("delete directory " + directory, () -> below.deleteDirectory(directory));
  }

  @Override
  public void close() throws IOException {
    below.close();
  }
}
