package io.cairn.flush.store;

import java.io.IOException;

/** Opens a store whose name is not ASCII, below an argument, and prints what happened in ASCII. */
public final class NamedStore {
  private NamedStore() {}

  /** Takes the parent of the store. */
  public static void main(String[] arguments) throws IOException {
    try (CheckpointStore store = CheckpointStores.open(arguments[0] + "/st\u00f6re")) {
      StoreFiles.write(store, "file", new byte[3]);
      System.out.println("wrote " + store.list("").size());
    } catch (IllegalArgumentException e) {
      System.out.println("refused " + e.getMessage());
    }
  }
}
