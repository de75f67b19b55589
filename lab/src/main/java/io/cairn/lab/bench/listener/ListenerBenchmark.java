package io.cairn.lab.bench.listener;

import io.cairn.dl4j.ModelDigest;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
   * @param report gets all that is found
   * @param progress receives a line per round
   */
  void run(BenchReport report, Consumer<String> progress) throws IOException {
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
      long bytes = WideNetwork.stateBytes(none.model());
      report
          .table("a plain copy of the state: median of one per round, and of those before")
          .row()
          .add("state bytes", bytes)
          .add("copy p50 ms", copy.medianMillis());
      FigureTable modes =
          report.table(
              "%d iterations of each mode but checkpoint-listener, of which %d: medians; stalls"
                  + " are times within the listener's callbacks, the iteration leaves them out;"
                  + " interference and cost in all are beyond the same network without the"
                  + " listener",
              plan.iterations(), plan.saves());
      none.report(modes);
      FigureTable.Row ofSaving =
          saving
              .report(modes)
              .add("at STORE", saving.measured())
              .add("identical", saved)
              .add("restore ms", millis)
              .add("restored bytes", newestBytes(files));
      FigureTable.Row ofInPlace = inPlace.report(modes);
      judge(report, copy.medianMillis(), ofSaving, ofInPlace, cairn.report(modes));
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

  private static void judge(
      BenchReport report,
      double copyMillis,
      FigureTable.Row saving,
      FigureTable.Row inPlace,
      FigureTable.Row cairn) {
    double stall = cairn.number("stall p50 ms");
    double iteration = cairn.number("without ms");
    MeasuredMachine machine = MeasuredMachine.withNd4j();
    boolean isCoreFree = Objects.requireNonNull(machine.openMpThreads()) < machine.cores();
    report.atLeast(
        "stall of CheckpointListener over Cairn's",
        saving.number("stall p50 ms") / stall,
        STALL_RATIO);
    report.atMost(
        "stall in place over a plain copy",
        inPlace.number("stall p50 ms") / copyMillis,
        MEMCPY_RATIO);
    report.atMost(
        "Cairn's stall in percent of an iteration", 100 * stall / iteration, STALL_PERCENT);
    report.atMost("Cairn's stall in ms, p99", cairn.number("stall p99 ms"), STALL_P99_MILLIS);
    report.atMost(
        "stall and slow-down in percent",
        cairn.number("in all %"),
        isCoreFree ? FREE_CORE_PERCENT : 100 * copyMillis / iteration + BUSY_PERCENT);
    report.atMost(
        "checkpoints that Cairn skipped", cairn.number("skipped") + inPlace.number("skipped"), 0);
    report.holds(
        "restored from STORE bit for bit",
        Boolean.TRUE.equals(cairn.get("identical"))
            && Boolean.TRUE.equals(inPlace.get("identical")));
  }
}
