package io.cairn.lab.bench.listener;

import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.nd4j.linalg.api.ndarray.INDArray;

/** Passes every call on to a listener and adds up the time that it takes. Not thread-safe. */
final class TimedListener implements TrainingListener {
  private final TrainingListener listener;
  private long nanos;

  TimedListener(TrainingListener listener) {
    this.listener = listener;
  }

  /** Time inside the listener since the last call of this. */
  long takeNanos() {
    long taken = nanos;
    nanos = 0;
    return taken;
  }

  private void time(Runnable call) {
    long start = System.nanoTime();
    call.run();
    nanos += System.nanoTime() - start;
  }

  @Override
  public void iterationDone(Model model, int iteration, int epoch) {
    time(() -> listener.iterationDone(model, iteration, epoch));
  }

  @Override
  public void onEpochStart(Model model) {
    time(() -> listener.onEpochStart(model));
  }

  @Override
  public void onEpochEnd(Model model) {
    time(() -> listener.onEpochEnd(model));
  }

  @Override
  public void onForwardPass(Model model, List<INDArray> activations) {
    time(() -> listener.onForwardPass(model, activations));
  }

  @Override
  public void onForwardPass(Model model, Map<String, INDArray> activations) {
    time(() -> listener.onForwardPass(model, activations));
  }

  @Override
  public void onGradientCalculation(Model model) {
    time(() -> listener.onGradientCalculation(model));
  }

  @Override
  public void onBackwardPass(Model model) {
    time(() -> listener.onBackwardPass(model));
  }
}
