package io.cairn.lab.soak;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Made-up machines, each with one executor and a NODE in its working directory. Each holds one rank
 * of a coupled group that PEER protects. An executor that replaces a lost one is a new machine.
 *
 * @param machines more than {@link #survived()}
 * @param scheme of PEER: partner, xor or rs
 * @param store whether checkpoints after the first reach STORE while the group trains
 */
record LosableMachines(int machines, String scheme, boolean store) implements SoakCluster {
  private static final int CHUNKS = 2;

  /** Below the working directory of an executor. */
  private static final String NODE = "node";

  LosableMachines {
    int least = survived(scheme) + 1;
    if (machines < least) {
      throw new IllegalArgumentException(
          "--machines " + machines + ": " + scheme + " needs " + least + " or more");
    }
  }

  private static int survived(String scheme) {
    return switch (scheme) {
      case "partner", "xor" -> 1;
      case "rs" -> 2;
      default ->
          throw new IllegalArgumentException("--peer " + scheme + ": must be partner, xor or rs");
    };
  }

  /** As many machines may be lost at once. */
  int survived() {
    return survived(scheme);
  }

  private SoakGroup group() {
    return new SoakGroup("coupled", Collections.nCopies(machines, CHUNKS));
  }

  @Override
  public List<SoakGroup> groups() {
    return List.of(group());
  }

  @Override
  public Map<String, String> settings(Path directory) {
    return Map.of(
        "spark.cairn.node.dir",
        NODE,
        "spark.cairn.peer.scheme",
        scheme,
        "spark.cairn.peer.parity",
        Integer.toString(survived()),
        "spark.cairn.peer.domain",
        "node",
        "spark.cairn.peer.every",
        "10",
        "spark.cairn.store.every",
        store ? "20" : "1000000");
  }

  @Override
  public SoakBlows blows(Path directory, long seed, Consumer<String> retire, BooleanSupplier over) {
    return new MachineBlows(new SoakLog(directory, group().name()), NODE, survived(), seed, over);
  }
}
