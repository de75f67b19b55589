package io.cairn.lab.bench.small;

import com.sun.management.ThreadMXBean;
import io.cairn.Checkpointer;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.bench.small.SmallReport.Phase;
import io.cairn.lab.bench.small.SmallReport.Quantiles;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Samples;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A loop that computes for a while and captures a few kilobytes, again and again. The first
 * captures run code that the JVM has not compiled yet, so phases are reported apart.
 *
 * @param bytes of each capture; a multiple of {@code Float.BYTES * regions}
 * @param interval of computation between two captures, in microseconds
 */
record SmallBenchmark(int bytes, int regions, long interval) {
  private static final double MICROS_PER_MILLI = 1000;

  /** A phase to come. */
  record Plan(String name, int captures) {}

  /** Runs the phases one after the other, in this JVM. */
  SmallReport run(List<Plan> plans) throws IOException {
    List<Phase> phases = new ArrayList<>();
    try (Scratch scratch = Scratch.create();
        CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings(scratch)));
        Checkpointer checkpointer = cairn.join("small")) {
      float[][] state = new float[regions][bytes / Float.BYTES / regions];
      for (int region = 0; region < regions; region++) {
        checkpointer.protect(Region.of("region-" + region, state[region]));
      }
      checkpointer.restore();
      long next = 0;
      for (Plan plan : plans) {
        phases.add(new Loop(checkpointer, state[0]).run(plan, next));
        next += plan.captures();
      }
    }
    return new SmallReport(
        Instant.now().toString(), MeasuredMachine.current(), bytes, regions, interval, phases);
  }

  /** Every iteration at DEVICE alone: the levels below it never stop the training thread. */
  private static Map<String, String> settings(Scratch scratch) {
    return Map.of(
        "job", "bench-small",
        "store", scratch.onDisk("store").toString(),
        "node.dir", scratch.inMemory("node").toString(),
        "device.dir", scratch.inMemory("device").toString(),
        "device.every", "1",
        "node.every", "1000000",
        "store.every", "1000000");
  }

  private final class Loop {
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Samples cpu = new Samples();
    private final Samples wall = new Samples();
    private final Checkpointer checkpointer;
    private final float[] changing;

    Loop(Checkpointer checkpointer, float[] changing) {
      this.checkpointer = checkpointer;
      this.changing = changing;
    }

    Phase run(Plan plan, long first) {
      long allocated = 0;
      for (long iteration = first; iteration < first + plan.captures(); iteration++) {
        compute();
        long bytesBefore = threads.getCurrentThreadAllocatedBytes();
        long cpuBefore = threads.getCurrentThreadCpuTime();
        long before = System.nanoTime();
        Outcome outcome = checkpointer.checkpoint(iteration).captured().join();
        long wallNanos = System.nanoTime() - before;
        long cpuNanos = threads.getCurrentThreadCpuTime() - cpuBefore;
        allocated += threads.getCurrentThreadAllocatedBytes() - bytesBefore;
        wall.add(wallNanos);
        cpu.add(cpuNanos);
        if (!(outcome instanceof Outcome.Captured)) {
          throw new IllegalStateException("iteration " + iteration + " is " + outcome);
        }
      }
      return new Phase(
          plan.name(), plan.captures(), micros(cpu), micros(wall), allocated / plan.captures());
    }

    /** Spins, as a training does, and changes the state. */
    private void compute() {
      long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(interval);
      do {
        for (int i = 0; i < changing.length; i++) {
          changing[i] += i + 1;
        }
      } while (System.nanoTime() < end);
    }
  }

  private static Quantiles micros(Samples samples) {
    return new Quantiles(
        samples.quantileMillis(0.5) * MICROS_PER_MILLI,
        samples.quantileMillis(0.9) * MICROS_PER_MILLI,
        samples.quantileMillis(0.99) * MICROS_PER_MILLI);
  }
}
