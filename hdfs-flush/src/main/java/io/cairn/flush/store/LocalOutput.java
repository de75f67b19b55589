package io.cairn.flush.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Writes a new local file. Direct buffers go to the kernel without a copy. */
final class LocalOutput implements StoreOutput {
  private final FileChannel channel;
  private final String path;
  private final Durability durability;
  private final StoreErrors errors;
  private long position;

  LocalOutput(FileChannel channel, String path, Durability durability, StoreErrors errors) {
    this.channel = channel;
    this.path = path;
    this.durability = durability;
    this.errors = errors;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        position += channel.write(bytes);
      }
    } catch (IOException e) {
      throw errors.failed("write", path, position, e);
    }
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void sync() throws IOException {
    if (durability == Durability.PROCESS) {
      return;
    }
    try {
      channel.force(true);
    } catch (IOException e) {
      throw errors.failed("sync", path, position, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } catch (IOException e) {
      throw errors.failed("close", path, position, e);
    }
  }
}
