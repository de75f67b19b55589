package io.cairn.flush.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of a Hadoop file system. Reads that follow each other, and long ones, go through one
 * stream: a positional read begins anew at the DataNode each time. A short read elsewhere is
 * positional, so that it does not end the stream.
 */
final class HadoopInput implements StoreInput {
  private static final int LONG_BYTES = 64 << 10;

  private final FSDataInputStream in;
  private final String path;
  private final long length;
  private final StoreErrors errors;
  private final boolean takesBuffers;
  private byte @Nullable [] copy;

  HadoopInput(FSDataInputStream in, String path, long length, StoreErrors errors) {
    this.in = in;
    this.path = path;
    this.length = length;
    this.errors = errors;
    this.takesBuffers = in.hasCapability(StreamCapabilities.READBYTEBUFFER);
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    errors.requireInside(path, position, into.remaining(), length);
    try {
      if (into.remaining() >= LONG_BYTES || in.getPos() == position) {
        readStream(position, into);
      } else {
        readAt(position, into);
      }
    } catch (IOException e) {
      // an end of the stream too: Hadoop reports a server that hung up as one
      throw errors.failed("read", path, position, e);
    }
  }

  private void readStream(long position, ByteBuffer into) throws IOException {
    if (in.getPos() != position) {
      in.seek(position);
    }
    while (into.hasRemaining()) {
      int read = takesBuffers ? in.read(into) : readCopied(into);
      if (read < 0) {
        throw new EOFException("the stream ended at byte " + in.getPos() + " of " + length);
      }
    }
  }

  private int readCopied(ByteBuffer into) throws IOException {
    byte[] bytes = copy();
    int read = in.read(bytes, 0, Math.min(into.remaining(), bytes.length));
    if (read > 0) {
      into.put(bytes, 0, read);
    }
    return read;
  }

  private void readAt(long position, ByteBuffer into) throws IOException {
    int part = into.remaining();
    in.readFully(position, copy(), 0, part);
    into.put(copy(), 0, part);
  }

  private byte[] copy() {
    byte[] bytes = copy;
    if (bytes == null) {
      bytes = new byte[HadoopStore.COPY_BYTES];
      copy = bytes;
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
