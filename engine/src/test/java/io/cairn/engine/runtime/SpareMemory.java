package io.cairn.engine.runtime;

import java.nio.file.Path;
import java.util.Arrays;

/** A process without ranks that meets the others at an address, until its input ends. */
final class SpareMemory {
  private SpareMemory() {}

  /** The arguments are the directory, and settings. */
  public static void main(String[] arguments) throws Exception {
    String[] settings = Arrays.copyOfRange(arguments, 1, arguments.length);
    try (CairnEngine cairn = new Places(Path.of(arguments[0])).open(settings)) {
      System.out.println("open for " + cairn.config().job());
      byte[] unused = System.in.readAllBytes();
    }
  }
}
