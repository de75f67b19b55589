package io.cairn.lab.bench.listener;

import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Samples;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.DataSet;

/** A network under one listener, or none, and how long its iterations took. Not thread-safe. */
final class TrainingMode {
  private final String name;
  private final MultiLayerNetwork model;
  private final @Nullable TimedListener listener;
  private final Samples iterations = new Samples();
  private final Samples whole = new Samples();
  private final Samples stalls = new Samples();

  /** Of the same network without its listener. */
  private final Samples bare = new Samples();

  TrainingMode(String name, MultiLayerNetwork model, @Nullable TrainingListener listener) {
    this.name = name;
    this.model = model;
    this.listener = listener == null ? null : new TimedListener(listener);
  }

  MultiLayerNetwork model() {
    return model;
  }

  /** Puts the listener on the model; before that the model trains without it. */
  void listen() {
    if (listener != null) {
      model.setListeners(listener.timed());
    }
  }

  /**
   * Iterations without the listener: networks of one size are not equally fast, since the memory of
   * each lies elsewhere, so each mode is compared with itself.
   */
  void rest(DataSet minibatch, int iterations) {
    model.setListeners();
    for (int k = 0; k < iterations; k++) {
      long start = System.nanoTime();
      model.fit(minibatch);
      bare.add(System.nanoTime() - start);
    }
    listen();
  }

  /** One iteration that is not measured. */
  void warmUp(DataSet minibatch) {
    model.fit(minibatch);
    takeStall();
  }

  /** One iteration that is. */
  void iterate(DataSet minibatch) {
    long start = System.nanoTime();
    model.fit(minibatch);
    long nanos = System.nanoTime() - start;
    long stall = takeStall();
    whole.add(nanos);
    iterations.add(nanos - stall);
    stalls.add(stall);
  }

  private long takeStall() {
    return listener == null ? 0 : listener.takeNanos();
  }

  /** How many were measured. */
  int measured() {
    return iterations.count();
  }

  /** Adds the figures, beside those of the same network without its listener. */
  FigureTable.Row report(FigureTable modes) {
    double p50 = iterations.quantileMillis(0.5);
    double wholeP50 = whole.quantileMillis(0.5);
    double bareP50 = (bare.count() == 0 ? iterations : bare).quantileMillis(0.5);
    return modes
        .row()
        .add("mode", name)
        .add("without ms", bareP50)
        .add("iteration ms", p50)
        .add("with stall ms", wholeP50)
        .quantiles("stall", stalls.millis())
        .add("interference %", 100 * (p50 / bareP50 - 1))
        .add("in all %", 100 * (wholeP50 / bareP50 - 1));
  }
}
