package io.cairn.lab.bench.flow;

import java.util.Map;

/** The kinds of measurements of our schedulers, and the floor. */
enum Kind {
  /** One pass over the rates from senders to receivers. */
  FLOOR("floor: the matrix read once", FloorBenchmark.class, "read", false),
  /** Dense, in bytes. */
  DENSE_EXACT("dense, exact", DenseBenchmark.class, "schedule", false),
  /** Dense, in whole chunks. */
  DENSE_CHUNKED("dense, whole chunks", DenseBenchmark.class, "schedule", true),
  /** The uniform optimum and its certificate, without a plan. */
  UNIFORM_CLOSED_FORM("uniform, closed form", UniformBenchmark.class, "closedForm", false),
  /** Uniform, with a plan. */
  UNIFORM_PLAN("uniform, plan", UniformBenchmark.class, "schedule", false),
  /** Nodes behind network cards, in bytes. */
  CLUSTER_EXACT("cluster, exact", ClusterBenchmark.class, "schedule", false),
  /** Nodes behind network cards, in whole chunks. */
  CLUSTER_CHUNKED("cluster, whole chunks", ClusterBenchmark.class, "schedule", true);

  private final String title;
  private final Class<?> benchmark;
  private final String method;
  private final boolean wholeChunks;

  Kind(String title, Class<?> benchmark, String method, boolean wholeChunks) {
    this.title = title;
    this.benchmark = benchmark;
    this.method = method;
    this.wholeChunks = wholeChunks;
  }

  /** Its name for people. */
  String title() {
    return title;
  }

  /** JMH's class. */
  Class<?> benchmark() {
    return benchmark;
  }

  /** JMH's method. */
  String method() {
    return method;
  }

  /** Adds what the benchmark's state needs besides the size. */
  void chunks(Map<String, Object> parameters) {
    if (benchmark != FloorBenchmark.class && benchmark != UniformBenchmark.class) {
      parameters.put("wholeChunks", wholeChunks);
    }
  }
}
