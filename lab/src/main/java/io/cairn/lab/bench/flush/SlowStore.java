package io.cairn.lab.bench.flush;

import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A store whose files are written at a bounded rate. Thread-safe; its streams are not. */
public final class SlowStore implements CheckpointStore {
  private static final double NANOS_PER_SECOND = 1e9;

  private final CheckpointStore below;
  private volatile double bytesPerSecond = Double.POSITIVE_INFINITY;

  /** A store that is as fast as this one, until a limit is set. Closes it. */
  public SlowStore(CheckpointStore below) {
    this.below = below;
  }

  /** Bounds the bytes per second, from the next write on. */
  public void limit(double bytes) {
    bytesPerSecond = bytes;
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    StoreOutput out = below.create(path);
    return new StoreOutput() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        double nanos = bytes.remaining() / bytesPerSecond * NANOS_PER_SECOND;
        out.write(bytes);
        sleep((long) nanos);
      }

      @Override
      public long position() {
        return out.position();
      }

      @Override
      public void sync() throws IOException {
        out.sync();
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  private static void sleep(long nanos) throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the store was slow");
    }
  }

  @Override
  public String describe() {
    return below.describe();
  }

  @Override
  public void publish(String from, String to) throws IOException {
    below.publish(from, to);
  }

  @Override
  public StoreInput open(String path) throws IOException {
    return below.open(path);
  }

  @Override
  public List<StoreEntry> list(String directory) throws IOException {
    return below.list(directory);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return below.delete(path);
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    return below.deleteDirectory(directory);
  }

  @Override
  public void close() throws IOException {
    below.close();
  }
}
