package io.cairn.lab.bench.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The upper limits of the schedulers' times on one warm thread, plan included, in microseconds by
 * number of devices.
 */
final class FlowTargets {
  private static final Map<Kind, Map<Integer, Double>> MICROS =
      Map.of(
          Kind.DENSE_EXACT,
          Map.of(8, 1.0, 128, 50.0, 512, 800.0, 1024, 3_000.0, 4096, 100_000.0),
          Kind.DENSE_CHUNKED,
          Map.of(8, 4.0, 128, 150.0, 512, 4_000.0, 1024, 10_000.0, 4096, 300_000.0),
          Kind.UNIFORM_CLOSED_FORM,
          Map.of(128, 2.0, 4096, 100.0),
          Kind.CLUSTER_EXACT,
          Map.of(1024, 1_000.0, 10_000, 40_000.0));

  private FlowTargets() {}

  /** The bar, or null if there is none. */
  static @Nullable Double micros(Kind kind, int devices) {
    return MICROS.getOrDefault(kind, Map.of()).get(devices);
  }
}
