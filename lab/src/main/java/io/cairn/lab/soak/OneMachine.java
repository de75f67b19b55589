package io.cairn.lab.soak;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Executors of one machine, with one NODE. Some ranks reach DEVICE only with others' memory. */
record OneMachine() implements SoakCluster {
  private static final int LARGE = 11;
  private static final int SMALL = 2;

  /** One rank per executor: a coupled group and two of one. */
  private static final List<SoakGroup> GROUPS =
      List.of(
          new SoakGroup("coupled", List.of(LARGE, SMALL)),
          new SoakGroup("large", List.of(LARGE)),
          new SoakGroup("small", List.of(SMALL)));

  @Override
  public List<SoakGroup> groups() {
    return GROUPS;
  }

  @Override
  public int workers() {
    return GROUPS.stream().mapToInt(SoakGroup::size).sum();
  }

  @Override
  public Map<String, String> settings(Path directory) {
    return Map.of(
        "spark.cairn.node.dir",
        node(directory).toString(),
        "spark.cairn.store.every",
        "20",
        "spark.decommission.enabled",
        "true",
        "spark.executor.decommission.forceKillTimeout",
        "3s");
  }

  @Override
  public SoakBlows blows(Path directory, long seed, Consumer<String> retire, BooleanSupplier over) {
    return new ExecutorBlows(GROUPS, directory, node(directory), seed, retire, over);
  }

  private static Path node(Path directory) {
    return directory.resolve("node");
  }
}
