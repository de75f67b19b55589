package io.cairn.dl4j;

import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.dl4j.TrainingState.ModelParts;
import io.cairn.training.ReplayedProgram;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.api.Updater;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The regions of one model: its parameters, its updater's state, and a {@link TrainingState}. DL4J
 * keeps each of the first two in one flat buffer, which is captured in place. A change of a
 * learning rate moves the updater's state; {@link #nextState} follows it. Not thread-safe: only the
 * training thread may call it.
 */
final class ModelRegions {
  static final String PARAMETERS = "parameters";
  static final String UPDATER = "updater-state";
  static final String STATE = ReplayedProgram.STATE;

  private static final String NETWORK = "network";

  private static final Logger LOG = LoggerFactory.getLogger(ModelRegions.class);

  /** Where a flat array is. */
  private record Span(TrainedMemory.Place place, long bytes) {
    static Span of(INDArray array, TrainedMemory memory) {
      // the array may be a view of a larger buffer, so its own length counts
      long bytes = array.length() * array.data().getElementSize();
      return new Span(memory.place(array), bytes);
    }
  }

  private final TrainedMemory memory;
  private final TrainedModel model;
  private final Checkpointer checkpointer;
  private final Consumer<TrainingState> onRestore;
  private final int openMpThreads;

  /** The configuration that the program built, plain and as checkpoints hold it. */
  private final BuiltConfiguration built;

  private final Bytes encodedBuilt;

  /** The configuration if the training changed it, else empty. */
  private String changed = "";

  private @Nullable Updater updater;
  private Map<String, Span> spans;
  private byte[] nextState = new byte[0];

  /** The counters of listeners, which the program may attach after the restore. */
  private @Nullable Bytes dueCounts;

  private @Nullable TrainingState restored;

  /**
   * Protects the model's regions.
   *
   * @param onRestore receives the state after each restore, also after one that the application
   *     began at the checkpointer
   * @throws IllegalArgumentException if the checkpointer protects such regions already, or if it is
   *     not known where ND4J keeps its arrays
   */
  ModelRegions(TrainedModel model, Checkpointer checkpointer, Consumer<TrainingState> onRestore) {
    this.memory = TrainedMemory.of("the network");
    this.openMpThreads = NativeOpsHolder.getInstance().getDeviceNativeOps().ompGetMaxThreads();
    this.model = model;
    this.checkpointer = checkpointer;
    this.onRestore = onRestore;
    this.built = new BuiltConfiguration(model.configuration());
    this.encodedBuilt = built.encode();
    this.updater = model.updater();
    this.spans = spans();
    spans.keySet().forEach(name -> checkpointer.protect(region(name)));
    checkpointer.protect(Region.of(STATE, () -> nextState, this::load));
    checkpointer.describe(
        NETWORK, built.fingerprint(), new SavedNetworks(checkpointer, built)::names);
  }

  private Map<String, Span> spans() {
    Map<String, Span> found = new LinkedHashMap<>();
    found.put(PARAMETERS, Span.of(model.parameters(), memory));
    INDArray state = model.updaterState();
    if (state != null) {
      found.put(UPDATER, Span.of(state, memory));
    }
    return found;
  }

  private Region region(String name) {
    INDArray owner = array(name);
    return memory.region(name, owner, Span.of(owner, memory).bytes(), "");
  }

  private INDArray array(String name) {
    return name.equals(PARAMETERS)
        ? model.parameters()
        : Objects.requireNonNull(model.updaterState());
  }

  /**
   * Sets the state that the next checkpoint holds. Protects the model's memory again if it moved.
   *
   * @throws IllegalStateException if the updater's state has another length than at first; the
   *     message names the remedy
   */
  void nextState(TrainingState state) {
    follow();
    Bytes recurrent = Bytes.of(RecurrentState.of(model.recurrentLayers()));
    Bytes listeners = ListenerCounts.of(model.listeners());
    nextState = state.with(new ModelParts(changed, encodedBuilt, recurrent, listeners)).encode();
  }

  private void follow() {
    // a program that drops the updater lets DL4J make another one, with the next gradients at the
    // latest
    Updater present = model.newestUpdater();
    if (present != updater) {
      updater = present;
      String configuration = model.configuration();
      changed = new BuiltConfiguration(configuration).equals(built) ? "" : configuration;
    }
    if (hasMoved()) {
      Map<String, Span> now = spans();
      requireSameLengths(now);
      now.keySet().forEach(name -> checkpointer.relocate(region(name)));
      spans = now;
    }
  }

  private boolean hasMoved() {
    return !spans.equals(spans());
  }

  private void requireSameLengths(Map<String, Span> now) {
    boolean same = now.keySet().equals(spans.keySet());
    for (Map.Entry<String, Span> span : now.entrySet()) {
      same &= same && bytes(spans, span.getKey()) == span.getValue().bytes();
    }
    if (!same) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              ("the updater's state changed its length from %d to %d bytes, so the model cannot be"
                  + " captured until it has that length again. Resume a training of another group"
                  + " with the new updater, instead of changing the updater of the protected"
                  + " model"),
              bytes(spans, UPDATER),
              bytes(now, UPDATER)));
    }
  }

  private static long bytes(Map<String, Span> spans, String name) {
    Span span = spans.get(name);
    return span == null ? 0 : span.bytes();
  }

  /** Whether {@code other} is the protected model. */
  boolean areOf(Model other) {
    return model.is(other);
  }

  /**
   * Restores a checkpoint into the model: memory, learning rates, counters and the calling thread's
   * random generator. Applies constraints as DL4J does after that iteration.
   *
   * @param source restores, such as {@link Checkpointer#restore()}
   * @return empty if there was no checkpoint; the model is unchanged then
   * @throws RestoreException if checkpoints exist and none fits; the model is unchanged
   * @throws IllegalStateException if DL4J is in the middle of an iteration
   */
  Optional<RestoreReport> restore(Supplier<Optional<RestoreReport>> source) {
    if (TrainingLoop.inIteration()) {
      throw new IllegalStateException(
          "a restore in the middle of an iteration, which DL4J would complete over the restored"
              + " state: end fit() first, such as by an exception from the listener");
    }
    follow();
    restored = null;
    Optional<RestoreReport> report = restoreOrExplain(source);
    if (report.isPresent() && restored == null) {
      throw new RestoreException(
          "checkpoint " + report.get().id() + " was restored without its region " + STATE);
    }
    return report;
  }

  private Optional<RestoreReport> restoreOrExplain(Supplier<Optional<RestoreReport>> source) {
    try {
      return source.get();
    } catch (RestoreException refused) {
      throw new SavedNetworks(checkpointer, built).explain(refused);
    }
  }

  /** The state that the last {@link #restore} read; empty if there was no checkpoint. */
  Optional<TrainingState> restored() {
    return Optional.ofNullable(restored);
  }

  /** The features of the minibatch that was trained last; null where DL4J kept none. */
  @Nullable INDArray[] inputs() {
    return model.inputs();
  }

  /** Counts the model's present epoch, all minibatches of which were trained before a restore. */
  void completeEpoch() {
    model.setCounters(model.iterations(), model.epochs() + 1);
  }

  /** Sets the counters of the model's listeners after a restore, before they count again. */
  void resumeListeners() {
    Bytes counts = dueCounts;
    if (counts != null) {
      dueCounts = null;
      ListenerCounts.restore(counts, model.listeners());
    }
  }

  /** Threads that ND4J's native operations used when the model was protected. */
  int openMpThreads() {
    return openMpThreads;
  }

  /** The last step of a restore, whether this class or the application began it. */
  private void load(byte[] bytes) {
    TrainingState state = TrainingState.decode(bytes);
    requireAtRest();
    String configuration = state.model().changed();
    if (!new BuiltConfiguration(configuration).equals(new BuiltConfiguration(changed))) {
      model.reconfigure(configuration.isEmpty() ? built.json() : configuration);
      follow();
    }
    model.resumeFrom(state);
    RecurrentState.restore(state.model().recurrent().array(), model.recurrentLayers());
    ThreadGenerator.set(state.random());
    warnOfThreads(state.openMpThreads());
    dueCounts = state.model().listeners();
    restored = state;
    onRestore.accept(state);
  }

  /** The application may have called the checkpointer itself, at any moment. */
  private void requireAtRest() {
    if (TrainingLoop.inIteration()) {
      throw new RestoreException(
          "a restore in the middle of an iteration overwrote the model; end fit() and restore"
              + " again");
    }
    if (hasMoved()) {
      follow();
      throw new RestoreException(
          "the updater's state moved since the last checkpoint, so the restore missed it; restore"
              + " again");
    }
  }

  private void warnOfThreads(int saved) {
    if (saved != openMpThreads && saved != TrainingState.UNKNOWN_THREADS) {
      LOG.warn(
          "the checkpoint was computed with {} OpenMP threads, this process uses {}: the training"
              + " continues, but not bit for bit as without the interruption (set OMP_NUM_THREADS"
              + " to the same value)",
          saved,
          openMpThreads);
    }
  }
}
