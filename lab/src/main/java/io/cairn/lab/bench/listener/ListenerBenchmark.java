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
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.deeplearning4j.optimize.listeners.CheckpointListener;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Trains one network in three modes that take turns of a few iterations: without a listener, under
 * DL4J's {@link CheckpointListener} saving every iteration, and under Cairn capturing every
 * iteration. Before a turn ends, what Cairn has on its way down has arrived, so that its work in
 * the background falls into its own turn; the first of two modes alternates.
 */
final class ListenerBenchmark {
  private static final double STALL_RATIO = 100;
  private static final double MEMCPY_RATIO = 3;

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
    try (Scratch scratch = Scratch.create();
        CairnMode cairn = new CairnMode(plan, scratch)) {
      Path files = Files.createDirectories(scratch.onDisk("checkpoint-listener"));
      TrainingMode none = new TrainingMode("none", WideNetwork.create(plan.widths()), null);
      TrainingMode saving =
          new TrainingMode("checkpoint-listener", WideNetwork.create(plan.widths()), saving(files));
      PlainCopy copy = new PlainCopy(WideNetwork.stateBytes(none.model()));
      warmUp(none, saving, cairn, copy);
      for (int round = 0; round < plan.rounds(); round++) {
        round(round, none, saving, cairn);
        copy.measure();
        progress.accept(line(round, none, cairn));
      }
      boolean saved =
          ModelDigest.of(CheckpointListener.loadLastCheckpointMLN(files.toFile()))
              .equals(ModelDigest.of(saving.model()));
      boolean sealed = cairn.restoresIdentically();
      return report(
          copy,
          WideNetwork.stateBytes(none.model()),
          List.of(
              none.report(none, Checkpoints.NONE, 0, null),
              saving.report(none, new Checkpoints(0, 0, saving.measured()), 0, saved),
              cairn.report(none, sealed)));
    }
  }

  private static CheckpointListener saving(Path files) {
    return new CheckpointListener.Builder(files.toFile())
        .saveEveryNIterations(1)
        .keepLast(2)
        .logSaving(false)
        .build();
  }

  private void warmUp(TrainingMode none, TrainingMode saving, CairnMode cairn, PlainCopy copy) {
    for (int k = 0; k < ListenerPlan.WARM_UP; k++) {
      none.warmUp(minibatch);
      saving.warmUp(minibatch);
      copy.measure();
    }
    saving.listen();
    cairn.warmUp(minibatch, ListenerPlan.WARM_UP);
  }

  private void round(int round, TrainingMode none, TrainingMode saving, CairnMode cairn) {
    int iterations = Math.min(plan.block(), plan.iterations() - none.measured());
    boolean cairnFirst = round % 2 == 1;
    if (cairnFirst) {
      cairn.turn(minibatch, iterations);
    }
    turn(none, iterations);
    if (!cairnFirst) {
      cairn.turn(minibatch, iterations);
    }
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
    ListenerReport.Mode cairn = modes.get(2);
    double stall = cairn.stallMillis().p50();
    List<Bar> bars =
        List.of(
            Bar.atLeast(
                "stall of CheckpointListener over Cairn's",
                saving.stallMillis().p50() / stall,
                STALL_RATIO),
            Bar.atMost(
                "Cairn's stall over a plain copy", stall / copy.medianMillis(), MEMCPY_RATIO),
            Bar.atMost("checkpoints that Cairn skipped", (double) cairn.skipped(), 0),
            Bar.atLeast(
                "restored from STORE bit for bit",
                Boolean.TRUE.equals(cairn.restoredIdentical()) ? 1 : 0,
                1));
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    return new ListenerReport(
        now, MeasuredMachine.withNd4j(), bytes, copy.medianMillis(), modes, bars);
  }
}
