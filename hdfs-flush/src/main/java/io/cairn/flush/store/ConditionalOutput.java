package io.cairn.flush.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataOutputStream;

/** Writes an object that appears when it is closed, if its name is absent then. */
final class ConditionalOutput implements StoreOutput {
  private final FSDataOutputStream stream;
  private final HadoopOutput out;
  private final String path;
  private final StoreErrors errors;
  private final Look exists;
  private boolean closed;

  /** Whether bytes were written, or may have been, since the last sync. */
  private boolean unsynced;

  /** Looks whether the name exists. */
  interface Look {
    boolean exists() throws IOException;
  }

  ConditionalOutput(FSDataOutputStream stream, String path, StoreErrors errors, Look exists) {
    this.stream = stream;
    this.out = new HadoopOutput(stream, path, errors);
    this.path = path;
    this.errors = errors;
    this.exists = exists;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    unsynced = true;
    out.write(bytes);
  }

  @Override
  public long position() {
    return out.position();
  }

  /** The bytes become durable all at once, by {@link #close}. */
  @Override
  public void sync() {
    unsynced = false;
  }

  /**
   * Puts the object. If it has bytes that were not synced, its writer failed, and it is dropped, as
   * far as the stream can do so.
   *
   * @throws java.nio.file.FileAlreadyExistsException if it failed and the name exists, under which
   *     this object, or another one, lies
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    if (unsynced && stream.hasCapability(CommonPathCapabilities.ABORTABLE_STREAM)) {
      stream.abort();
    }
    try {
      out.close();
    } catch (IOException e) {
      throw refusal(e);
    }
  }

  private IOException refusal(IOException failure) {
    try {
      return exists.exists() ? errors.exists(path, failure) : failure;
    } catch (IOException e) {
      failure.addSuppressed(e);
      return failure;
    }
  }
}
