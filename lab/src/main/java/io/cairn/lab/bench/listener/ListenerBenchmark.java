package io.cairn.lab.bench.listener;

import io.cairn.dl4j.ModelDigest;
import io.cairn.lab.bench.listener.ListenerReport.Checkpoints;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.listeners.Checkpoint;
import org.deeplearning4j.optimize.listeners.CheckpointListener;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Trains one network in four modes that take turns of a few iterations: without a listener, under
 * DL4J's {@link CheckpointListener} saving every iteration, and under Cairn capturing every
 * iteration, in place and beside the next forward and backward pass. Before a turn ends, what Cairn
 * has on its way down has arrived, so that its work in the background falls into its own turn; the
 * first mode of a round alternates. Each network also trains without its listener in its turn,
 * before or after, also in turns.
 */
final class ListenerBenchmark {
  private static final double STALL_RATIO = 100;
  private static final double MEMCPY_RATIO = 3;
  private static final double STALL_PERCENT = 0.5;
  private static final double STALL_P99_MILLIS = 5;

  /** Of stall and slow-down together, where a core is free for the copies. */
  private static final double FREE_CORE_PERCENT = 4;

  /** Beyond a plain copy's own time, where none is. */
  private static final double BUSY_PERCENT = 2;

  private final ListenerPlan plan;
  private final DataSet minibatch;

  ListenerBenchmark(ListenerPlan plan) {
    this.plan = plan;
    this.minibatch = WideNetwork.minibatch(plan.widths(), plan.batch());
  }

  /**
   * Runs it all.
   *
   * @param progress receives a line per round
   */
  ListenerReport run(Consumer<String> progress) throws IOException {
    compile(progress);
    try (Scratch scratch = Scratch.create();
        Scratch other = Scratch.create();
        CairnMode inPlace = new CairnMode(plan, other, false);
        CairnMode cairn = new CairnMode(plan, scratch, true)) {
      Path files = Files.createDirectories(scratch.onDisk("checkpoint-listener"));
      TrainingMode none = new TrainingMode("none", WideNetwork.create(plan.widths()), null);
      TrainingMode saving =
          new TrainingMode("checkpoint-listener", WideNetwork.create(plan.widths()), saving(files));
      PlainCopy copy = new PlainCopy(WideNetwork.stateBytes(none.model()));
      warmUp(none, saving, List.of(inPlace, cairn), copy);
      for (int round = 0; round < plan.rounds(); round++) {
        round(round, none, saving, List.of(inPlace, cairn));
        copy.measure();
        progress.accept(line(round, none, cairn));
      }
      long beginNanos = System.nanoTime();
      MultiLayerNetwork last = CheckpointListener.loadLastCheckpointMLN(files.toFile());
      double millis = (System.nanoTime() - beginNanos) / 1e6;
      boolean saved = ModelDigest.of(last).equals(ModelDigest.of(saving.model()));
      boolean sealedInPlace = inPlace.restoresIdentically();
      boolean sealed = cairn.restoresIdentically();
      return report(
          copy,
          WideNetwork.stateBytes(none.model()),
          List.of(
              none.report(Checkpoints.NONE, 0, null, null),
              saving.report(
                  new Checkpoints(0, 0, saving.measured()),
                  0,
                  saved,
                  new ListenerReport.Restored(newestBytes(files), millis)),
              inPlace.report(sealedInPlace),
              cairn.report(sealed)));
    }
  }

  private void compile(Consumer<String> progress) throws IOException {
    if (plan.compiling() == 0) {
      return;
    }
    ListenerPlan small = plan.small();
    DataSet own = WideNetwork.minibatch(small.widths(), small.batch());
    for (boolean beside : new boolean[] {false, true}) {
      try (Scratch scratch = Scratch.create();
          CairnMode mode = new CairnMode(small, scratch, beside)) {
        mode.warmUp(own, small.iterations());
      }
    }
    progress.accept(
        String.format(
            Locale.ROOT, "a small network trained %d iterations", 2 * small.iterations()));
  }

  private static long newestBytes(Path files) throws IOException {
    Checkpoint newest = CheckpointListener.lastCheckpoint(files.toFile());
    return Files.size(files.resolve(newest.getFilename()));
  }

  private static CheckpointListener saving(Path files) {
    return new CheckpointListener.Builder(files.toFile())
        .saveEveryNIterations(1)
        .keepLast(2)
        .logSaving(false)
        .build();
  }

  private void warmUp(
      TrainingMode none, TrainingMode saving, List<CairnMode> cairns, PlainCopy copy) {
    for (int k = 0; k < ListenerPlan.WARM_UP; k++) {
      none.warmUp(minibatch);
      saving.warmUp(minibatch);
      copy.measure();
    }
    saving.listen();
    cairns.forEach(cairn -> cairn.warmUp(minibatch, ListenerPlan.WARM_UP));
  }

  private void round(int round, TrainingMode none, TrainingMode saving, List<CairnMode> cairns) {
    int iterations = Math.min(plan.block(), plan.iterations() - none.measured());
    List<Runnable> turns = new ArrayList<>();
    turns.add(() -> turn(none, iterations));
    boolean bareFirst = round % 2 == 0; // after a pause ND4J's threads are asleep
    cairns.forEach(cairn -> turns.add(() -> cairn.turn(minibatch, iterations, bareFirst)));
    Collections.rotate(turns, round);
    turns.forEach(Runnable::run);
    saving.rest(minibatch, iterations);
    turn(saving, plan.savesIn(round));
  }

  private void turn(TrainingMode mode, int iterations) {
    for (int k = 0; k < iterations; k++) {
      mode.iterate(minibatch);
    }
  }

  private String line(int round, TrainingMode none, CairnMode cairn) {
    return String.format(
        Locale.ROOT,
        "round %d of %d: %d iterations per mode, %d checkpoints captured by Cairn",
        round + 1,
        plan.rounds(),
        none.measured(),
        cairn.statistics().captured());
  }

  private static ListenerReport report(
      PlainCopy copy, long bytes, List<ListenerReport.Mode> modes) {
    ListenerReport.Mode saving = modes.get(1);
    ListenerReport.Mode inPlace = modes.get(2);
    ListenerReport.Mode cairn = modes.get(3);
    double stall = cairn.stallMillis().p50();
    double iteration = cairn.iterationMillis().bareP50();
    MeasuredMachine machine = MeasuredMachine.withNd4j();
    int threads = Objects.requireNonNull(machine.openMpThreads());
    double copyPercent = 100 * copy.medianMillis() / iteration;
    double overhead = threads < machine.cores() ? FREE_CORE_PERCENT : copyPercent + BUSY_PERCENT;
    List<Bar> bars =
        List.of(
            Bar.atLeast(
                "stall of CheckpointListener over Cairn's",
                saving.stallMillis().p50() / stall,
                STALL_RATIO),
            Bar.atMost(
                "stall in place over a plain copy",
                inPlace.stallMillis().p50() / copy.medianMillis(),
                MEMCPY_RATIO),
            Bar.atMost(
                "Cairn's stall in percent of an iteration", 100 * stall / iteration, STALL_PERCENT),
            Bar.atMost("Cairn's stall in ms, p99", cairn.stallMillis().p99(), STALL_P99_MILLIS),
            Bar.atMost("stall and slow-down in percent", cairn.totalOverheadPercent(), overhead),
            Bar.atMost(
                "checkpoints that Cairn skipped", (double) cairn.skipped() + inPlace.skipped(), 0),
            Bar.atLeast(
                "restored from STORE bit for bit",
                Boolean.TRUE.equals(cairn.restoredIdentical())
                        && Boolean.TRUE.equals(inPlace.restoredIdentical())
                    ? 1
                    : 0,
                1));
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    return new ListenerReport(now, machine, threads, bytes, copy.medianMillis(), modes, bars);
  }
}
