package io.cairn.engine.runtime;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Detects a driver or an executor of Spark, without depending on Spark. */
final class SparkProcess {
  private static final Logger LOG = LoggerFactory.getLogger(SparkProcess.class);
  private static final String ENVIRONMENT = "org.apache.spark.SparkEnv";

  private SparkProcess() {}

  /** Whether this process belongs to a Spark application that runs. */
  static boolean isThis() {
    try {
      Class<?> environment = Class.forName(ENVIRONMENT);
      return environment.getMethod("get").invoke(null) != null;
    } catch (ClassNotFoundException e) {
      return false;
    } catch (ReflectiveOperationException | LinkageError e) {
      LOG.warn("Spark is on the class path, but does not answer", e);
      return false;
    }
  }
}
