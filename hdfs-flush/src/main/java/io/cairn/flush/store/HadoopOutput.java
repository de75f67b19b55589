package io.cairn.flush.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.StreamCapabilities;
import org.jspecify.annotations.Nullable;

/** Writes a new file in a Hadoop file system. */
final class HadoopOutput implements StoreOutput {
  private final FSDataOutputStream out;
  private final String path;
  private final StoreErrors errors;
  private byte @Nullable [] copy;
  private long position;
  private boolean closed;

  HadoopOutput(FSDataOutputStream out, String path, StoreErrors errors) {
    this.out = out;
    this.path = path;
    this.errors = errors;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    try {
      if (bytes.hasArray()) {
        writeArray(bytes);
      } else {
        writeCopied(bytes);
      }
    } catch (IOException e) {
      throw errors.failed("write", path, position, e);
    }
  }

  private void writeArray(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), length);
    bytes.position(bytes.limit());
    position += length;
  }

  private void writeCopied(ByteBuffer bytes) throws IOException {
    if (copy == null) {
      copy = new byte[HadoopStore.COPY_BYTES];
    }
    while (bytes.hasRemaining()) {
      int length = Math.min(bytes.remaining(), copy.length);
      bytes.get(copy, 0, length);
      out.write(copy, 0, length);
      position += length;
    }
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void sync() throws IOException {
    // A stream without the capability silently turns hsync() into a flush().
    if (!out.hasCapability(StreamCapabilities.HSYNC)) {
      throw new IOException("cannot sync " + errors.at(path) + ": its stream has no hsync");
    }
    try {
      out.hsync();
    } catch (IOException e) {
      throw errors.failed("sync", path, position, e);
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      out.close();
    } catch (IOException e) {
      throw errors.failed("close", path, position, e);
    }
  }
}
