package io.cairn.lab.fuzz;

import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A store that has the same bytes at every path. */
final class OneFile implements ReadableStore {
  private final byte[] bytes;

  OneFile(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public String describe() {
    return "memory";
  }

  @Override
  public StoreInput open(String path) {
    return new StoreInput() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public void readFully(long position, ByteBuffer into) throws IOException {
        if (position < 0 || into.remaining() > bytes.length - position) {
          throw new EOFException(path + " ends at " + bytes.length);
        }
        into.put(bytes, (int) position, into.remaining());
      }

      @Override
      public void close() {}
    };
  }
}
