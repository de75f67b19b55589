package io.cairn.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import com.codahale.metrics.MetricRegistry;
import io.cairn.Cairn;
import io.cairn.engine.runtime.ProcessInstance;
import io.cairn.spark.settings.SparkSettings;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.executor.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An executor in which Cairn meets an error goes on without Cairn. */
class SwitchedOffTest {
  private final MetricRegistry metrics = new MetricRegistry();

  @AfterEach
  void defaults() {
    ProcessInstance.openOnDemand(null);
  }

  private PluginContext contextWithoutResources(Throwable failure) {
    return (PluginContext)
        Proxy.newProxyInstance(
            PluginContext.class.getClassLoader(),
            new Class<?>[] {PluginContext.class},
            (proxy, method, arguments) -> {
              return switch (method.getName()) {
                case "metricRegistry" -> metrics;
                case "executorID" -> "7";
                default -> throw failure;
              };
            });
  }

  /** Spark looks for fatal errors among the causes of a failed task. */
  @Test
  void aTaskThatLearnsOfALackOfMemoryEndsNoExecutor() {
    new ExecutorAgent()
        .init(
            contextWithoutResources(new OutOfMemoryError("Direct buffer memory")),
            Map.of(SparkSettings.DRIVER, "d:1"));

    assertThatIllegalStateException()
        .isThrownBy(Cairn::current)
        .withMessageContaining("Direct buffer memory")
        .satisfies(e -> assertThat(Executor.isFatalError(e, 5)).isFalse());
  }

  @Test
  void anErrorReachesTasksThatUseCairnAndNobodyElse() {
    Error error = new NoClassDefFoundError("io/netty/Missing");
    ExecutorAgent agent = new ExecutorAgent();

    assertThatNoException()
        .isThrownBy(
            () -> agent.init(contextWithoutResources(error), Map.of(SparkSettings.DRIVER, "d:1")));

    assertThatIllegalStateException()
        .isThrownBy(Cairn::current)
        .withMessageContaining("io/netty/Missing")
        .withMessageContaining("spark.executor.userClassPathFirst")
        .withCause(error);
    assertThat(metrics.getGauges())
        .hasEntrySatisfying("failures", gauge -> assertThat((Long) gauge.getValue()).isPositive());
  }
}
