package io.cairn.dl4j;

import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Region;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.dl4j.TrainingState.RandomState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.rng.Random;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions of one model: its parameters, its updater's state, and a {@link TrainingState}. DL4J
 * keeps each of the first two in one flat buffer. The address of that buffer does not change while
 * the model trains, so the buffer is captured in place. Not thread-safe: only the training thread
 * may call it.
 */
final class ModelRegions {
  static final String PARAMETERS = "parameters";
  static final String UPDATER = "updater-state";
  static final String STATE = "training-state";

  private static final Logger LOG = LoggerFactory.getLogger(ModelRegions.class);

  /** The address range of a flat array. */
  private record Span(String name, long address, long bytes) {
    static Span of(String name, INDArray array) {
      // the array may be a view of a larger buffer, so its own length counts
      long bytes = array.length() * array.data().getElementSize();
      return new Span(name, array.data().addressPointer().address(), bytes);
    }
  }

  private final TrainedModel model;
  private final int openMpThreads;
  private final List<Span> spans;
  private byte[] nextState = new byte[0];
  private @Nullable TrainingState restored;

  /**
   * Protects the model's regions, and initialises the model if that was not done.
   *
   * @throws IllegalArgumentException if the checkpointer protects such regions already
   */
  ModelRegions(MultiLayerNetwork network, Checkpointer checkpointer) {
    this.openMpThreads = NativeOpsHolder.getInstance().getDeviceNativeOps().ompGetMaxThreads();
    this.model = new TrainedModel(network);
    this.spans = spans();
    checkpointer.protect(region(spans.get(0), model.parameters()));
    INDArray updater = model.updaterState();
    if (updater != null) {
      checkpointer.protect(region(spans.get(1), updater));
    }
    checkpointer.protect(Region.of(STATE, () -> nextState, this::load));
  }

  private static Region region(Span span, INDArray owner) {
    return Region.of(span.name(), span.address(), span.bytes(), owner);
  }

  /** Sets the state that the next checkpoint holds. */
  void nextState(TrainingState state) {
    nextState = state.encode();
  }

  /**
   * Requires that the model's memory has not moved since it was protected.
   *
   * @throws IllegalStateException if it has; the message names the remedy
   */
  void requireUnmoved() {
    if (!spans.equals(spans())) {
      throw new IllegalStateException(
          "the model's parameters or updater state have moved to other memory (through clear() or"
              + " setUpdater(), or into another model), so the model cannot be captured any more."
              + " Resume the training with the new model instead of changing the protected one");
    }
  }

  /**
   * Requires that {@code other} is the protected model.
   *
   * @throws IllegalStateException if it is another one
   */
  void requireSame(Model other) {
    if (!model.is(other)) {
      throw new IllegalStateException(
          "another model than the protected one called the listener: create one listener per"
              + " model");
    }
  }

  /**
   * Restores the newest checkpoint into the model. Sets counters and applies constraints as DL4J
   * does after that iteration. The caller restores the random generator last, by {@link
   * #setRandom}, because creating models and reading data draw from it.
   *
   * @throws RestoreException if checkpoints exist and none fits; the model is unchanged
   */
  Optional<RestoreReport> restore(Checkpointer checkpointer) {
    Optional<RestoreReport> report = checkpointer.restore();
    if (report.isPresent()) {
      TrainingState state = requireState(report.get());
      model.resumeFrom(state);
      warnOfThreads(state.openMpThreads());
    }
    return report;
  }

  /** The state that {@link #restore} read; empty if there was no checkpoint. */
  Optional<TrainingState> restored() {
    return Optional.ofNullable(restored);
  }

  /** Sets the calling thread's random generator to a restored state. */
  static void setRandom(RandomState state) {
    Nd4j.getRandom().setStates(state.root(), state.node());
  }

  /** The state of the calling thread's random generator. */
  static RandomState random() {
    Random random = Nd4j.getRandom();
    return new RandomState(random.rootState(), random.nodeState());
  }

  /** Threads that ND4J's native operations used when the model was protected. */
  int openMpThreads() {
    return openMpThreads;
  }

  private void load(byte[] bytes) {
    restored = TrainingState.decode(bytes);
  }

  private TrainingState requireState(RestoreReport report) {
    if (restored == null) {
      throw new RestoreException(
          "checkpoint " + report.id() + " was restored without its region " + STATE);
    }
    return restored;
  }

  private void warnOfThreads(int saved) {
    if (saved != openMpThreads) {
      LOG.warn(
          "the checkpoint was computed with {} OpenMP threads, this process uses {}: the training"
              + " continues, but not bit for bit as without the interruption (set OMP_NUM_THREADS"
              + " to the same value)",
          saved,
          openMpThreads);
    }
  }

  private List<Span> spans() {
    List<Span> found = new ArrayList<>(2);
    found.add(Span.of(PARAMETERS, model.parameters()));
    INDArray updater = model.updaterState();
    if (updater != null) {
      found.add(Span.of(UPDATER, updater));
    }
    return found;
  }
}
