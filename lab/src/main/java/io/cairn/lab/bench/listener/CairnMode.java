package io.cairn.lab.bench.listener;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.RestoreReport;
import io.cairn.cli.LocalTree;
import io.cairn.dl4j.CairnListener;
import io.cairn.dl4j.CaptureStatistics;
import io.cairn.dl4j.ModelDigest;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.measure.SettledTickets;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Training under a {@link CairnListener} that captures every iteration, and the proof that what it
 * sealed at STORE is the state of that iteration.
 */
final class CairnMode implements AutoCloseable {
  private static final String GROUP = "bench";
  private static final int CACHED_CHECKPOINTS = 4;

  private final CairnConfig config;
  private final List<Integer> widths;
  private final CairnEngine cairn;
  private final SettledTickets checkpointer;
  private final CairnListener listener;
  private final TrainingMode mode;
  private final Map<Long, Digest> states = new HashMap<>();
  private boolean closed;

  /**
   * Opens it.
   *
   * @param scratch its own alone
   * @param beside whether the copy goes on beside the next forward and backward pass
   */
  CairnMode(ListenerPlan plan, Scratch scratch, boolean beside) throws IOException {
    widths = plan.widths();
    MultiLayerNetwork model = WideNetwork.create(widths);
    config = config(plan, scratch, WideNetwork.stateBytes(model));
    cairn = CairnEngine.open(config);
    checkpointer = new SettledTickets(cairn.join(GROUP), beside);
    listener = new CairnListener(checkpointer);
    listener.restore(model);
    mode = new TrainingMode(beside ? "cairn" : "cairn-in-place", model, listener);
    mode.listen();
  }

  private static CairnConfig config(ListenerPlan plan, Scratch scratch, long bytes) {
    long chunks = bytes / plan.chunkBytes() + 4;
    Map<String, String> settings = scratch.settings("bench-listener");
    settings.put(
        "device.cacheSize", String.valueOf(CACHED_CHECKPOINTS * chunks * plan.chunkBytes()));
    settings.put("chunkSize", String.valueOf(plan.chunkBytes()));
    settings.put("node.every", String.valueOf(plan.nodeEvery()));
    settings.put("store.every", String.valueOf(plan.storeEvery()));
    return CairnConfig.of(settings);
  }

  /** Iterations that are not measured. */
  void warmUp(DataSet minibatch, int iterations) {
    for (int k = 0; k < iterations; k++) {
      mode.warmUp(minibatch);
      remember();
    }
    listener.awaitCaptured();
    checkpointer.await();
  }

  /**
   * Measured iterations, with the listener and without; returns when what they sent down has
   * arrived.
   *
   * @param bareFirst whether those without come first
   */
  void turn(DataSet minibatch, int iterations, boolean bareFirst) {
    if (bareFirst) {
      mode.rest(minibatch, iterations);
    }
    captured(minibatch, iterations);
    if (!bareFirst) {
      mode.rest(minibatch, iterations);
    }
  }

  /** Closing keeps the last of them at STORE. */
  private void captured(DataSet minibatch, int iterations) {
    warmUp(minibatch, 1); // captured in place, since no update was announced before
    for (int k = 0; k < iterations; k++) {
      mode.iterate(minibatch);
      remember();
    }
    listener.awaitCaptured();
    checkpointer.await();
    rememberNow();
  }

  /** The content that a checkpoint at STORE must have. */
  private void remember() {
    long iteration = mode.model().getIterationCount() - 1L;
    if (config.cadence().start().due(Level.STORE, iteration)) {
      rememberNow();
    }
  }

  private void rememberNow() {
    states.put(mode.model().getIterationCount() - 1L, ModelDigest.of(mode.model()));
  }

  /**
   * Ends the training, erases what the node holds, and restores into a fresh network in a fresh
   * {@link CairnEngine}. Adds the figures; identical is what came from STORE and is the state of
   * its iteration, bit for bit.
   */
  FigureTable.Row report(FigureTable modes) throws IOException {
    close();
    Map<Level, Long> sealed = statistics().sealed();
    FigureTable.Row row =
        mode.report(modes)
            .add("at DEVICE", sealed.getOrDefault(Level.DEVICE, 0L))
            .add("at NODE", sealed.getOrDefault(Level.NODE, 0L))
            .add("at STORE", sealed.getOrDefault(Level.STORE, 0L))
            .add("skipped", statistics().skipped() + statistics().failed());
    Map<String, Long> counted = cairn.counters().snapshot();
    long stored = counted.getOrDefault("store.written.bytes", 0L);
    LocalTree.delete(config.nodeDirectory());
    try (CairnEngine fresh = CairnEngine.open(config);
        Checkpointer joined = fresh.join(GROUP)) {
      MultiLayerNetwork model = WideNetwork.create(widths);
      long beginNanos = System.nanoTime();
      Optional<RestoreReport> report = new CairnListener(joined).restore(model);
      double millis = (System.nanoTime() - beginNanos) / 1e6;
      boolean identical =
          report.isPresent()
              && report.get().level() == Level.STORE
              && ModelDigest.of(model).equals(states.get(report.get().id().iteration()));
      return row.add("identical", identical)
          .add("restore ms", millis)
          .add("restored bytes", stored / Math.max(1, counted.getOrDefault("store.sealed", 0L)));
    }
  }

  CaptureStatistics statistics() {
    return listener.statistics();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    checkpointer.close();
    cairn.close();
  }
}
