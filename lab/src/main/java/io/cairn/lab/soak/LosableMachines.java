package io.cairn.lab.soak;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Made-up machines, each with a worker of Spark, a NODE and some executors. Each executor holds one
 * rank of a coupled group that PEER protects. A machine that was lost is empty when it comes back.
 *
 * @param machines two or more
 * @param executors of each machine
 * @param scheme of PEER: partner, xor or rs
 * @param store whether checkpoints after the first reach STORE while the group trains
 */
record LosableMachines(int machines, int executors, String scheme, boolean store)
    implements SoakCluster {
  private static final int CHUNKS = 2;

  /** In the directory of a worker, as its executors name it. */
  private static final String NODE = "../../node";

  /** Of a set by {@code rs}. */
  private static final int PARITIES = 2;

  LosableMachines {
    if (machines < 2) {
      throw new IllegalArgumentException(
          "--machines " + machines + ": " + scheme + " needs 2 or more");
    } else if (executors < 1) {
      throw new IllegalArgumentException("--executors " + executors + ": must be 1 or more");
    } else if (!List.of("partner", "xor", "rs").contains(scheme)) {
      throw new IllegalArgumentException("--peer " + scheme + ": must be partner, xor or rs");
    }
  }

  /** As many machines may be lost at once; two have one parity only. */
  int survived() {
    return scheme.equals("rs") ? Math.min(PARITIES, machines - 1) : 1;
  }

  private SoakGroup group() {
    return new SoakGroup("coupled", Collections.nCopies(machines * executors, CHUNKS));
  }

  @Override
  public List<SoakGroup> groups() {
    return List.of(group());
  }

  @Override
  public int workers() {
    return machines;
  }

  private String peer() {
    return switch (scheme) {
      case "xor" -> "xor:4";
      case "rs" -> "rs:4+" + PARITIES;
      default -> scheme;
    };
  }

  @Override
  public Map<String, String> settings(Path directory) {
    return Map.of(
        "spark.cairn.node.dir",
        NODE,
        "spark.cairn.peer",
        peer(),
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
