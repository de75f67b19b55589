package io.cairn.flush.store;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads a local file. */
final class LocalInput implements StoreInput {
  private final FileChannel channel;
  private final String path;
  private final long length;
  private final StoreErrors errors;

  private LocalInput(FileChannel channel, String path, long length, StoreErrors errors) {
    this.channel = channel;
    this.path = path;
    this.length = length;
    this.errors = errors;
  }

  /** Takes ownership of the channel; closes it on failure. */
  static LocalInput of(FileChannel channel, String path, StoreErrors errors) throws IOException {
    try {
      return new LocalInput(channel, path, channel.size(), errors);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    errors.requireInside(path, position, into.remaining(), length);
    long at = position;
    try {
      while (into.hasRemaining()) {
        int read = channel.read(into, at);
        if (read < 0) {
          throw errors.shorter(path, at, length);
        }
        at += read;
      }
    } catch (EOFException e) {
      throw e;
    } catch (IOException e) {
      throw errors.failed("read", path, at, e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
