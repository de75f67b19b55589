package io.cairn.flush.store;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;

/** Makes stores of which a file, or a part of it, is there and cannot be read. */
public final class Unreadable {
  private Unreadable() {}

  /** The same store, but each attempt to open {@code path} fails, as after a lost replica. */
  public static CheckpointStore file(CheckpointStore below, String path) {
    return opening(
        below,
        path,
        () -> {
          throw lost(path);
        });
  }

  /** The same store, but each read of {@code path} that touches one byte fails. */
  public static CheckpointStore at(CheckpointStore below, String path, long offset) {
    return opening(
        below,
        path,
        () -> {
          StoreInput input = below.open(path);
          return new StoreInput() {
            @Override
            public long length() throws IOException {
              return input.length();
            }

            @Override
            public void readFully(long position, ByteBuffer into) throws IOException {
              if (position <= offset && offset < position + into.remaining()) {
                throw lost(path);
              }
              input.readFully(position, into);
            }

            @Override
            public void close() throws IOException {
              input.close();
            }
          };
        });
  }

  private static IOException lost(String path) {
    return new IOException(path + ": could not obtain block");
  }

  private interface Opening {
    StoreInput open() throws IOException;
  }

  private static CheckpointStore opening(CheckpointStore below, String path, Opening opening) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            Unreadable.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("open") && path.equals(arguments[0])) {
                return opening.open();
              }
              try {
                return method.invoke(below, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
