package io.cairn.lab.bench.flow;

import io.cairn.lab.bench.flow.FlowReport.Allocation;
import io.cairn.lab.bench.flow.FlowReport.Beside;
import io.cairn.lab.bench.flow.FlowReport.Measured;
import io.cairn.lab.measure.MeasuredMachine;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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
  private final Consumer<String> progress;
  private final List<Measured> measured = new ArrayList<>();
  private final List<Beside> rivals = new ArrayList<>();
  private final List<Allocation> allocations = new ArrayList<>();

  /**
   * @param progress gets a line per measurement
   */
  FlowBenchmarks(FlowPlan plan, Consumer<String> progress) {
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Runs all.
   *
   * @throws IOException if a measurement fails, or a rival finds another optimum than ours
   */
  FlowReport run() throws IOException {
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
    return new FlowReport(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        MeasuredMachine.current(),
        Forks.jvmArguments(),
        Forks.rivalJvmArguments(),
        plan.quick(),
        measured,
        rivals,
        allocations);
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
    Double floor = kind == Kind.DENSE_EXACT || kind == Kind.DENSE_CHUNKED ? floor(devices) : null;
    measured.add(
        new Measured(
            kind,
            devices,
            network,
            score.micros(),
            score.error(),
            score.slowest(),
            floor == null ? null : score.micros() / floor,
            FlowTargets.micros(kind, devices)));
    report(
        kind.title() + (network == null ? "" : ", " + network + " GB/s"), devices, score.micros());
  }

  private @Nullable Double floor(int devices) {
    return find(Kind.FLOOR, devices);
  }

  private @Nullable Double find(Kind kind, int devices) {
    return measured.stream()
        .filter(each -> each.kind() == kind && each.devices() == devices)
        .map(Measured::micros)
        .findFirst()
        .orElse(null);
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
      allocations.add(new Allocation(devices, bytes, PlanSize.meanBytes(devices)));
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
      rivals.add(Beside.of(rival, devices, micros, ours(rival, devices), why));
      if (micros == null) {
        progress.accept(
            String.format(Locale.ROOT, "%s, %d devices: %s", rival.title(), devices, why));
      } else {
        report(rival.title(), devices, micros);
      }
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
    progress.accept(
        String.format(
            Locale.ROOT, "%s, %d devices: %s µs", what, devices, FlowTables.micros(micros)));
  }
}
