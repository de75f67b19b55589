package io.cairn.spark;

import io.cairn.spark.driver.DriverAgent;
import io.cairn.spark.executor.ExecutorAgent;
import io.cairn.spark.executor.SwitchedOff;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.SparkPlugin;

/**
 * Checkpointing for Spark jobs. The executors' part opens {@link io.cairn.Cairn} in each executor,
 * so that tasks find it with {@code Cairn.current()}. The driver's part coordinates groups whose
 * ranks run in several executors, and opens Cairn for ranks in the driver on demand.
 */
public final class CairnPlugin implements SparkPlugin {
  /** For Spark. */
  public CairnPlugin() {}

  @Override
  public DriverPlugin driverPlugin() {
    RequiredJars.require();
    return new DriverAgent();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    RequiredJars.require();
    try {
      return new ExecutorAgent();
    } catch (LinkageError e) {
      return SwitchedOff.by(e);
    }
  }
}
