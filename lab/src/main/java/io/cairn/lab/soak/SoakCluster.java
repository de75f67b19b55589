package io.cairn.lab.soak;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The machines of a soak, the groups that train there, and the blows. */
interface SoakCluster {
  /** The groups; each of their ranks has an executor of its own. */
  List<SoakGroup> groups();

  /** Workers of Spark; together they have an executor for each rank. */
  int workers();

  /** The settings beyond those of every soak. */
  Map<String, String> settings(Path directory);

  /**
   * The blows of a run.
   *
   * @param directory with the logs of the groups
   * @param retire has the driver decommission the executor that Spark knows by this id
   * @param over whether the jobs have ended
   */
  SoakBlows blows(Path directory, long seed, Consumer<String> retire, BooleanSupplier over);
}
