package io.cairn.lab.bench.flow;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measures what a {@link FlowPlan} says, one after the other. Used once; one thread. */
final class FlowBenchmarks {
  private static final double[] NETWORKS = {12.5, 50};
  private static final double SLOW_SECONDS = 0.3;
  private static final int SLOW_INSTANCES = 2;

  private final FlowPlan plan;
  private final BenchReport report;
  private final Consumer<String> progress;
  private final FigureTable measured;
  private final FigureTable rivals;
  private final FigureTable allocations;

  /** The means of ours by kind and number of devices. */
  private final Map<Kind, Map<Integer, Double>> micros = new EnumMap<>(Kind.class);

  /**
   * @param report gets all that is found
   * @param progress gets a line per measurement
   */
  FlowBenchmarks(FlowPlan plan, BenchReport report, Consumer<String> progress) {
    this.plan = plan;
    this.report = report;
    this.progress = progress;
    report.note("each in a JVM with " + String.join(" ", Forks.jvmArguments()));
    report.note("rivals with " + String.join(" ", Forks.rivalJvmArguments()));
    if (plan.quick()) {
      report.quick();
    }
    measured =
        report.table(
            "ours, and the floor: means per call over all instances, half of the 99.9 % confidence"
                + " interval, and the instance that takes longest");
    rivals = report.table("rivals, and ours on the same instances in bytes or chunks as the rival");
    allocations =
        report.table("allocated per solve, by JMH, and the plan and certificate that it returns");
  }

  /**
   * Runs all.
   *
   * @throws IOException if a measurement fails, or a rival finds another optimum than ours
   */
  void run() throws IOException {
    try (Forks forks = new Forks()) {
      if (plan.has(Family.DENSE, Family.RIVALS)) {
        dense(forks);
      }
      if (plan.has(Family.UNIFORM)) {
        for (int devices : plan.uniformDevices()) {
          devices(forks, Kind.UNIFORM_CLOSED_FORM, devices);
          devices(forks, Kind.UNIFORM_PLAN, devices);
        }
      }
      if (plan.has(Family.CLUSTERS)) {
        clusters(forks);
      }
      if (plan.has(Family.ALLOCATION)) {
        allocations(forks);
      }
      if (plan.has(Family.RIVALS)) {
        for (Rival rival : Rival.values()) {
          rival(forks, rival);
        }
      }
    }
  }

  private void dense(Forks forks) throws IOException {
    for (int devices : plan.devices()) {
      devices(forks, Kind.FLOOR, devices);
      devices(forks, Kind.DENSE_EXACT, devices);
      devices(forks, Kind.DENSE_CHUNKED, devices);
    }
  }

  private void devices(Forks forks, Kind kind, int devices) throws IOException {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("devices", devices);
    measure(forks, kind, devices, null, parameters);
  }

  private void clusters(Forks forks) throws IOException {
    for (int nodes : plan.nodes()) {
      for (double network : NETWORKS) {
        for (Kind kind : List.of(Kind.CLUSTER_EXACT, Kind.CLUSTER_CHUNKED)) {
          Map<String, Object> parameters = new LinkedHashMap<>();
          parameters.put("nodes", nodes);
          parameters.put("nicGigabytesPerSecond", network);
          measure(forks, kind, Instances.clusterDevices(nodes), network, parameters);
        }
      }
    }
  }

  private void measure(
      Forks forks, Kind kind, int devices, @Nullable Double network, Map<String, Object> parameters)
      throws IOException {
    kind.chunks(parameters);
    Forks.Score score =
        forks.run(
            kind.benchmark(),
            kind.method(),
            parameters,
            plan.quick() ? Lengths.QUICK : Lengths.FULL,
            kind.benchmark() == UniformBenchmark.class
                ? Forks.Besides.NOTHING
                : Forks.Besides.SLOWEST);
    add(kind, devices, network, score);
    report(
        kind.title() + (network == null ? "" : ", " + network + " GB/s"), devices, score.micros());
  }

  /** Adds one of ours, or the floor, with its bar. */
  void add(Kind kind, int devices, @Nullable Double network, Forks.Score score) {
    boolean dense = kind == Kind.DENSE_EXACT || kind == Kind.DENSE_CHUNKED;
    Double floor = dense ? find(Kind.FLOOR, devices) : null;
    micros.computeIfAbsent(kind, k -> new HashMap<>()).putIfAbsent(devices, score.micros());
    measured
        .row()
        .add("what", kind.title())
        .add("devices", devices)
        .add("NIC GB/s", network)
        .add("µs", score.micros())
        .add("± µs", score.error())
        .add("slowest µs", score.slowest())
        .add("× floor", floor == null ? null : score.micros() / floor);
    Double bar = FlowTargets.micros(kind, devices);
    if (bar != null) {
      String on = network == null ? "" : String.format(Locale.ROOT, ", %.1f GB/s", network);
      report.atMost(kind.title() + ", " + devices + " devices" + on + ", µs", score.micros(), bar);
    }
  }

  private @Nullable Double find(Kind kind, int devices) {
    return micros.getOrDefault(kind, Map.of()).get(devices);
  }

  private void allocations(Forks forks) throws IOException {
    for (int devices : plan.allocationDevices()) {
      Double bytes =
          forks
              .run(
                  DenseBenchmark.class,
                  "schedule",
                  Map.of("devices", devices, "wholeChunks", false),
                  plan.quick() ? Lengths.QUICK : Lengths.FULL,
                  Forks.Besides.ALLOCATION)
              .allocatedBytes();
      if (bytes == null) {
        throw new IOException("JMH's GC profiler gave no bytes per call on this JVM");
      }
      allocations
          .row()
          .add("devices", devices)
          .add("bytes", bytes)
          .add("plan's bytes", PlanSize.meanBytes(devices));
      progress.accept(
          String.format(
              Locale.ROOT, "allocation, %d devices: %.0f bytes per solve", devices, bytes));
    }
  }

  /** Sizes in order; beyond the first that takes too long none is tried. */
  private void rival(Forks forks, Rival rival) throws IOException {
    Probe probe = new Probe(Forks.rivalJvmArguments(), plan.rivalSeconds());
    String why = null;
    for (int devices : plan.devices().stream().sorted().toList()) {
      Probe.Outcome outcome =
          why == null ? probe.outcome(rival, devices) : new Probe.Outcome(null, why);
      why = outcome.why();
      Double seconds = outcome.seconds();
      Double micros = seconds == null ? null : rivalMicros(forks, rival, devices, seconds);
      add(rival, devices, micros, why);
      if (micros == null) {
        progress.accept(
            String.format(Locale.ROOT, "%s, %d devices: %s", rival.title(), devices, why));
      } else {
        report(rival.title(), devices, micros);
      }
    }
  }

  /**
   * Adds a rival at one size, beside ours, which must be the faster one.
   *
   * @param micros null where it is not measured
   * @param why it is not measured; null if it is
   */
  void add(Rival rival, int devices, @Nullable Double micros, @Nullable String why) {
    double ours = ours(rival, devices);
    rivals
        .row()
        .add("rival", rival.title())
        .add("devices", devices)
        .add("µs", micros)
        .add("ours µs", ours)
        .add("rival ÷ ours", micros == null ? null : micros / ours)
        .add("why not", why);
    if (micros != null) {
      report.holds(rival.title() + ", " + devices + " devices, is slower than ours", micros > ours);
    }
  }

  private double ours(Rival rival, int devices) {
    Double ours = find(rival.wholeChunks() ? Kind.DENSE_CHUNKED : Kind.DENSE_EXACT, devices);
    if (ours == null) {
      throw new IllegalStateException("ours was not measured at " + devices + " devices");
    }
    return ours;
  }

  private double rivalMicros(Forks forks, Rival rival, int devices, double seconds)
      throws IOException {
    boolean slow = seconds > SLOW_SECONDS;
    int all = Instances.count(devices);
    Map<String, Object> parameters =
        Map.of(
            "rival",
            rival.name(),
            "devices",
            devices,
            "instances",
            slow ? Math.min(all, SLOW_INSTANCES) : all);
    Lengths lengths = slow ? Lengths.SLOW_RIVAL : plan.quick() ? Lengths.QUICK : Lengths.RIVAL;
    return forks
        .run(RivalBenchmark.class, "solve", parameters, lengths, Forks.Besides.NOTHING)
        .micros();
  }

  private void report(String what, int devices, double micros) {
    progress.accept(String.format(Locale.ROOT, "%s, %d devices: %.3g µs", what, devices, micros));
  }
}
