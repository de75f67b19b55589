package io.cairn.flush.format;

import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/** An output that measures how long its store takes. Not thread-safe. */
final class TimedOutput implements StoreOutput {
  private final StoreOutput out;
  private final LongSupplier nanoTime;
  private long nanos;

  TimedOutput(StoreOutput out, LongSupplier nanoTime) {
    this.out = out;
    this.nanoTime = nanoTime;
  }

  /** How long writes, syncs and closing took together. */
  long nanos() {
    return nanos;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    long began = nanoTime.getAsLong();
    out.write(bytes);
    nanos += nanoTime.getAsLong() - began;
  }

  @Override
  public long position() {
    return out.position();
  }

  @Override
  public void sync() throws IOException {
    long began = nanoTime.getAsLong();
    out.sync();
    nanos += nanoTime.getAsLong() - began;
  }

  @Override
  public void close() throws IOException {
    long began = nanoTime.getAsLong();
    out.close();
    nanos += nanoTime.getAsLong() - began;
  }
}
