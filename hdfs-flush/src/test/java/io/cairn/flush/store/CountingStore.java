package io.cairn.flush.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** A store that counts the bytes that are read of containers, and the manifests that are read. */
public class CountingStore implements CheckpointStore {
  private final CheckpointStore below;
  private final LongAdder bytesRead = new LongAdder();
  private final LongAdder manifestsRead = new LongAdder();

  /** Counts what is read of this one, which is closed with it. */
  public CountingStore(CheckpointStore below) {
    this.below = below;
  }

  /** Bytes read of containers so far. */
  public long containerBytesRead() {
    return bytesRead.sum();
  }

  /** How often a manifest, or a part of one, was opened so far. */
  public long manifestsRead() {
    return manifestsRead.sum();
  }

  @Override
  public StoreInput open(String path) throws IOException {
    if (path.contains("/MANIFEST")) {
      manifestsRead.increment();
    }
    StoreInput input = below.open(path);
    return path.endsWith(".chunks") ? new CountedInput(input, bytesRead) : input;
  }

  private record CountedInput(StoreInput below, LongAdder bytesRead) implements StoreInput {
    @Override
    public long length() throws IOException {
      return below.length();
    }

    @Override
    public void readFully(long position, ByteBuffer into) throws IOException {
      bytesRead.add(into.remaining());
      below.readFully(position, into);
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }

  @Override
  public String describe() {
    return below.describe();
  }

  @Override
  public StoreOutput create(String path) throws IOException {
    return below.create(path);
  }

  @Override
  public void publish(String from, String to) throws IOException {
    below.publish(from, to);
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
