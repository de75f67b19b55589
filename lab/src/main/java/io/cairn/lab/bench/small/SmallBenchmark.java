package io.cairn.lab.bench.small;

import com.sun.management.OperatingSystemMXBean;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Middle;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/**
 * Compares trainings with themselves, in blocks of iterations with checkpoints and without that
 * take turns. All modes of a training take turns in one run, so that drift hits all alike.
 *
 * @param blockMillis the length of a block
 * @param rounds pairs of blocks of each mode, after ten that are not counted
 */
record SmallBenchmark(int blockMillis, int rounds) {
  private static final int TRIAL = 5;
  private static final int WARM_UP = 10;

  SmallBenchmark {
    if (blockMillis < 1 || rounds < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--block is %d and --rounds is %d: give 1 or more",
              blockMillis,
              rounds));
    }
  }

  /** Makes a training. */
  @FunctionalInterface
  interface Maker {
    /** A training with this mode, in directories of its own. */
    SmallTraining make(Mode mode, Scratch scratch) throws IOException;
  }

  /** Runs every mode of a training, each of which becomes a row. */
  void run(String name, Maker maker, FigureTable cases) throws IOException {
    run(name, maker, this::iterations, cases);
  }

  /** Likewise, with as many iterations in a block as this says of the first mode. */
  void run(String name, Maker maker, ToIntFunction<SmallTraining> block, FigureTable cases)
      throws IOException {
    List<Contender> contenders = new ArrayList<>();
    try (Scratch scratch = Scratch.create()) {
      try {
        for (Mode mode : Mode.values()) {
          contenders.add(new Contender(mode, maker.make(mode, scratch)));
        }
        int iterations = block.applyAsInt(contenders.get(0).training);
        for (int round = -WARM_UP; round < rounds; round++) {
          for (Contender contender : contenders) {
            contender.turn(iterations, round);
          }
        }
        contenders.forEach(
            contender -> contender.report(cases.row().add("training", name), iterations));
      } finally {
        contenders.forEach(contender -> contender.training.close());
      }
    }
  }

  /** How many fill a block. Other processes only add time, so the shortest one counts. */
  private int iterations(SmallTraining training) {
    training.bare(TRIAL);
    double millis = Double.MAX_VALUE;
    for (int trial = 0; trial < TRIAL; trial++) {
      long begin = System.nanoTime();
      training.bare(1);
      millis = Math.min(millis, (System.nanoTime() - begin) / 1e6);
    }
    return (int) Math.max(2, Math.round(blockMillis / millis));
  }

  private static final class Contender {
    private final OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final Mode mode;
    private final SmallTraining training;
    private final List<Double> bareMillis = new ArrayList<>();
    private final List<Double> percent = new ArrayList<>();
    private final List<Double> cpuMicros = new ArrayList<>();
    private long capturedBefore;
    private long storedBefore;
    private double bareNanos;
    private double settledNanos;

    Contender(Mode mode, SmallTraining training) {
      this.mode = mode;
      this.training = training;
    }

    /** Turns before the first round let the JVM compile, and count for nothing. */
    void turn(int iterations, int round) {
      Block bare;
      Block checkpointed;
      if (round % 2 == 0) {
        bare = measure(() -> training.bare(iterations));
        checkpointed = measure(() -> training.checkpointed(iterations));
      } else {
        checkpointed = measure(() -> training.checkpointed(iterations));
        bare = measure(() -> training.bare(iterations));
      }
      if (round < 0) {
        capturedBefore = training.captured();
        storedBefore = training.stored();
        return;
      }
      bareNanos += bare.wallNanos;
      settledNanos += checkpointed.settledNanos;
      bareMillis.add(bare.wallNanos / 1e6 / iterations);
      percent.add(100.0 * (checkpointed.wallNanos - bare.wallNanos) / bare.wallNanos);
      cpuMicros.add((checkpointed.cpuNanos - bare.cpuNanos) / 1e3 / iterations);
    }

    private Block measure(Runnable block) {
      long cpu = process.getProcessCpuTime();
      long begin = System.nanoTime();
      block.run();
      long wall = System.nanoTime() - begin;
      training.settle();
      long settled = System.nanoTime() - begin;
      return new Block(wall, settled, process.getProcessCpuTime() - cpu);
    }

    void report(FigureTable.Row row, int iterations) {
      int counted = iterations * percent.size();
      row.add("bytes", training.bytes())
          .add("iteration ms", Middle.of(bareMillis))
          .add("mode", mode.name().toLowerCase(Locale.ROOT))
          .add("iterations", counted)
          .add("captured %", 100.0 * (training.captured() - capturedBefore) / counted)
          .add("overhead %", Middle.of(percent))
          .add("overhead p25 %", Middle.quantile(percent, 0.25))
          .add("overhead p75 %", Middle.quantile(percent, 0.75))
          .add("settled %", 100.0 * (settledNanos - bareNanos) / bareNanos)
          .add("at STORE", training.stored() - storedBefore)
          .add("cpu µs", Middle.of(cpuMicros));
    }
  }

  /** The time of the iterations, and that until their checkpoints have arrived as well. */
  private record Block(long wallNanos, long settledNanos, long cpuNanos) {}
}
