package io.cairn.flush.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/** Reads a file of a Hadoop file system. */
final class HadoopInput implements StoreInput {
  private final FSDataInputStream in;
  private final String path;
  private final long length;
  private final StoreErrors errors;
  private byte @Nullable [] copy;

  HadoopInput(FSDataInputStream in, String path, long length, StoreErrors errors) {
    this.in = in;
    this.path = path;
    this.length = length;
    this.errors = errors;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    errors.requireInside(path, position, into.remaining(), length);
    try {
      if (into.hasArray()) {
        int offset = into.arrayOffset() + into.position();
        in.readFully(position, into.array(), offset, into.remaining());
        into.position(into.limit());
      } else {
        readCopied(position, into);
      }
    } catch (EOFException e) {
      throw errors.shorter(path, position, length);
    } catch (IOException e) {
      throw errors.failed("read", path, position, e);
    }
  }

  private void readCopied(long position, ByteBuffer into) throws IOException {
    if (copy == null) {
      copy = new byte[HadoopStore.COPY_BYTES];
    }
    long at = position;
    while (into.hasRemaining()) {
      int part = Math.min(into.remaining(), copy.length);
      in.readFully(at, copy, 0, part);
      into.put(copy, 0, part);
      at += part;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
