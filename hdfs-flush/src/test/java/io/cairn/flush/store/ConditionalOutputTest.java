package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether an object of which not all bytes were written appears. */
class ConditionalOutputTest {
  private final Stream stream = new Stream();

  /** A stream of an object that may take no bytes. */
  private static final class Stream extends OutputStream implements Abortable, StreamCapabilities {
    private boolean full;
    private boolean aborted;

    @Override
    public void write(int b) throws IOException {
      if (full) {
        throw new IOException("no room");
      }
    }

    @Override
    public @Nullable AbortableResult abort() {
      aborted = true;
      return null;
    }

    @Override
    public boolean hasCapability(String capability) {
      return capability.equals(CommonPathCapabilities.ABORTABLE_STREAM);
    }
  }

  private ConditionalOutput output() throws IOException {
    return new ConditionalOutput(
        new FSDataOutputStream(stream, null), "file", new StoreErrors("store"), () -> false);
  }

  private static ByteBuffer bytes() {
    return ByteBuffer.allocate(3);
  }

  @Test
  void theFirstBytesThatCannotBeWrittenDropTheObject() throws IOException {
    stream.full = true;
    try (ConditionalOutput out = output()) {
      assertThatIOException().isThrownBy(() -> out.write(bytes()));
    }
    assertThat(stream.aborted).isTrue();
  }

  @Test
  void laterBytesThatWereNotSyncedDropIt() throws IOException {
    try (ConditionalOutput out = output()) {
      out.write(bytes());
      out.sync();
      out.write(bytes());
    }
    assertThat(stream.aborted).isTrue();
  }

  @Test
  void syncedBytesAndNoneAtAllArePut() throws IOException {
    output().close();
    try (ConditionalOutput out = output()) {
      out.write(bytes());
      out.sync();
    }
    assertThat(stream.aborted).isFalse();
  }
}
