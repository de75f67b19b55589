package io.cairn.flush.store;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Makes stores of which one file is there and cannot be read, as after a lost replica. */
public final class Unreadable {
  private Unreadable() {}

  /** The same store, but each attempt to open {@code path} fails. */
  public static CheckpointStore file(CheckpointStore below, String path) {
    return (CheckpointStore)
        Proxy.newProxyInstance(
            Unreadable.class.getClassLoader(),
            new Class<?>[] {CheckpointStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("open") && path.equals(arguments[0])) {
                throw new IOException(path + ": could not obtain block");
              }
              try {
                return method.invoke(below, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
