package io.cairn.engine.runtime;

import io.cairn.Checkpointer;
import java.nio.file.Path;

/** A process that joins a group of two at an address where no coordinator answers. */
final class LonelyJoin {
  private LonelyJoin() {}

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    try (CairnEngine cairn =
        CairnEngine.open(
            new Places(root).config("coordinator", arguments[1], "closeTimeout", "1h"))) {
      System.out.println("joining");
      try (Checkpointer checkpointer = cairn.join("run", 0, 2)) {
        System.out.println("joined " + checkpointer.epoch());
      }
    }
  }
}
