package io.cairn.dl4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.HeldCheckpoint;
import io.cairn.Region;
import io.cairn.RestoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.deeplearning4j.nn.api.Model;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The progress of one worker inside a round of a distributed training: a worker trains a copy of
 * the model on some minibatches and returns it. A worker that is started again goes on from the
 * newest checkpoint of the same round, with parameters, updater state, counters and the thread's
 * random generator:
 *
 * <pre>{@code
 * if (!progress.isTrained(minibatch)) {
 *   network.fit(minibatch);
 *   progress.minibatchDone();
 * }
 * }</pre>
 *
 * <p>Two attempts are of the same round if they have its name, and began with the same model. The
 * second one leaves out each minibatch that the first one had trained, in whatever order they come.
 * Its result equals that of an undisturbed worker bit for bit if the order is the same.
 *
 * <p>Not thread-safe: the worker's thread calls all methods.
 */
public final class WorkerProgress implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkerProgress.class);
  private static final String ROUND = "round";

  private final Checkpointer checkpointer;
  private final TrainedModel model;
  private final ModelRegions regions;
  private final ModelCaptures captures;
  private final String round;
  private final List<Long> trained = new ArrayList<>();

  /** Minibatches of earlier attempts that this attempt was not given yet. */
  private final List<Long> due = new ArrayList<>();

  private long present;

  /** Whether an earlier attempt has trained the present minibatch. */
  private boolean passedOver;

  /**
   * The round of a worker's checkpoint.
   *
   * @param name and its first model
   * @param trained the digests of its minibatches, in the order of training
   */
  private record Round(String name, List<Long> trained) {
    Round {
      trained = List.copyOf(trained);
    }

    byte[] encode() {
      byte[] text = name.getBytes(UTF_8);
      ByteBuffer bytes =
          ByteBuffer.allocate(Integer.BYTES + text.length + Long.BYTES * trained.size());
      bytes.putInt(text.length).put(text);
      trained.forEach(bytes::putLong);
      return bytes.array();
    }

    /**
     * The round in these bytes.
     *
     * @throws RestoreException if they are none
     */
    static Round decode(byte[] bytes) {
      ByteBuffer from = ByteBuffer.wrap(bytes);
      try {
        int length = from.getInt();
        if (length < 0
            || length > from.remaining()
            || (from.remaining() - length) % Long.BYTES > 0) {
          throw new RestoreException("the region of the round is damaged");
        }
        byte[] name = new byte[length];
        from.get(name);
        List<Long> trained = new ArrayList<>();
        while (from.hasRemaining()) {
          trained.add(from.getLong());
        }
        return new Round(new String(name, UTF_8), trained);
      } catch (BufferUnderflowException e) {
        throw new RestoreException("the region of the round is damaged: " + e.getMessage());
      }
    }
  }

  private WorkerProgress(Model network, String name, boolean again, Checkpointer checkpointer) {
    this.checkpointer = checkpointer;
    this.model = TrainedModel.of(network);
    Digest before = ModelDigest.of(network);
    this.round = name + " from " + before;
    this.regions = new ModelRegions(model, checkpointer, this::resumeFrom);
    this.captures = new ModelCaptures(checkpointer, System::nanoTime);
    checkpointer.protect(
        Region.of(ROUND, () -> new Round(round, trained).encode(), this::setTrained));
    checkpointer.describe("training", "worker");
    Optional<HeldCheckpoint> newest = again ? newest() : Optional.empty();
    if (newest.isPresent()) {
      restore(network, before, newest.get());
    } else {
      checkpointer.startAfresh();
    }
  }

  /**
   * Begins a round whose first attempt this is.
   *
   * @param model the worker's copy
   * @param round names it; unique within the training
   * @param checkpointer a group of one, of this worker; closed by {@link #close}, or at once if
   *     this method throws
   * @throws IllegalArgumentException if no checkpoint can hold the state of the model's training
   */
  public static WorkerProgress begin(Model model, String round, Checkpointer checkpointer) {
    return open(model, round, false, checkpointer);
  }

  /**
   * Restores the newest checkpoint of a round, if there is one. Costs a read of the newest
   * checkpoint if that is of another round.
   *
   * @param model the worker's copy, as it was at the beginning of the round
   * @param round as for {@link #begin}
   * @param checkpointer as for {@link #begin}
   * @throws RestoreException if there is a checkpoint of the round and it cannot be restored; the
   *     model is unchanged then
   * @throws IllegalArgumentException if no checkpoint can hold the state of the model's training
   * @throws IllegalStateException if a restore has overwritten the model in part, so that this copy
   *     must not be trained
   */
  public static WorkerProgress resume(Model model, String round, Checkpointer checkpointer) {
    return open(model, round, true, checkpointer);
  }

  private static WorkerProgress open(
      Model model, String round, boolean again, Checkpointer checkpointer) {
    try {
      return new WorkerProgress(model, round, again, checkpointer);
    } catch (RuntimeException e) {
      try {
        checkpointer.close();
      } catch (RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  /** All that can be read are of one round, since a round that restores nothing begins afresh. */
  private Optional<HeldCheckpoint> newest() {
    for (HeldCheckpoint held : checkpointer.checkpoints()) {
      try {
        return Optional.of(held).filter(this::isOfThisRound);
      } catch (RuntimeException e) {
        LOG.warn("{} is passed over: it cannot be read", held.id(), e);
      }
    }
    return Optional.empty();
  }

  private boolean isOfThisRound(HeldCheckpoint held) {
    AtomicReference<String> found = new AtomicReference<>("");
    Region name =
        Region.of(ROUND, () -> new byte[0], bytes -> found.set(Round.decode(bytes).name()));
    // one that this version cannot read must not overwrite the parameters first
    Region state = Region.of(ModelRegions.STATE, () -> new byte[0], TrainingState::decode);
    return checkpointer.load(held.id(), name, state).isPresent() && found.get().equals(round);
  }

  private void restore(Model network, Digest before, HeldCheckpoint held) {
    try {
      if (regions.restore(() -> checkpointer.restore(held.id())).isEmpty()) {
        throw new RestoreException(held.id() + " is gone");
      }
      regions.resumeListeners();
    } catch (RuntimeException e) {
      if (!ModelDigest.of(network).equals(before)) {
        throw new IllegalStateException(
            "the restore of " + held.id() + " failed half-way; this copy of the model is lost", e);
      }
      throw e;
    }
  }

  private void setTrained(byte[] bytes) {
    trained.clear();
    trained.addAll(Round.decode(bytes).trained());
    due.clear();
    due.addAll(trained);
  }

  private void resumeFrom(TrainingState state) {
    // a checkpoint of an earlier release does not say that its iteration is a minibatch
    model.setCounters(Math.toIntExact(state.epochMinibatches()), state.epoch());
  }

  /**
   * Whether an earlier attempt has trained this minibatch, so that the caller leaves it out. Called
   * once for each minibatch, before it is trained. Reads all of it.
   */
  public boolean isTrained(DataSet minibatch) {
    return isTrained(digest(minibatch));
  }

  /** Like {@link #isTrained(DataSet)}, for several inputs or outputs. */
  public boolean isTrained(MultiDataSet minibatch) {
    return isTrained(digest(minibatch));
  }

  /**
   * Tells minibatches apart by all of their values: the first 64 bits of a SHA-256 of types, shapes
   * and elements of features, labels and masks. Reads each element once, in logical order.
   */
  private static long digest(DataSet minibatch) {
    MessageDigest sha = ModelDigest.sha256();
    update(sha, minibatch.getFeatures());
    update(sha, minibatch.getLabels());
    update(sha, minibatch.getFeaturesMaskArray());
    update(sha, minibatch.getLabelsMaskArray());
    return first(sha);
  }

  private static long digest(MultiDataSet minibatch) {
    MessageDigest sha = ModelDigest.sha256();
    update(sha, minibatch.getFeatures());
    update(sha, minibatch.getLabels());
    update(sha, minibatch.getFeaturesMaskArrays());
    update(sha, minibatch.getLabelsMaskArrays());
    return first(sha);
  }

  private static void update(MessageDigest sha, @Nullable INDArray @Nullable [] arrays) {
    sha.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, arrays == null ? -1 : arrays.length));
    if (arrays != null) {
      for (INDArray array : arrays) {
        update(sha, array);
      }
    }
  }

  private static void update(MessageDigest sha, @Nullable INDArray array) {
    String kind = array == null ? "none" : array.dataType() + Arrays.toString(array.shape());
    sha.update(kind.getBytes(UTF_8));
    if (array != null) {
      ModelDigest.update(sha, array.dup('c')); // a view's elements do not follow each other
    }
  }

  private static long first(MessageDigest sha) {
    return ByteBuffer.wrap(sha.digest()).getLong();
  }

  private boolean isTrained(long digest) {
    present = digest;
    passedOver = due.remove((Long) digest);
    return passedOver;
  }

  /**
   * The last minibatch was trained: captures the model, at the levels that are due. A failure does
   * not end the training.
   *
   * @throws java.util.concurrent.CancellationException if the worker's task was cancelled
   */
  public void minibatchDone() {
    trained.add(present);
    captures.captureInPlace(
        regions, TrainingState.ofRounds(trained.size() - 1L, model, regions.openMpThreads()));
  }

  /**
   * The last minibatch of the round was trained, now or by an earlier attempt: the round has ended,
   * and its checkpoint goes to every level. Instead of {@link #minibatchDone}. A failure does not
   * end the training.
   *
   * @throws java.util.concurrent.CancellationException if the worker's task was cancelled
   */
  public void roundDone() {
    if (!passedOver) {
      trained.add(present);
    }
    captures.end(
        regions, TrainingState.ofRounds(trained.size() - 1L, model, regions.openMpThreads()));
  }

  /** Minibatches of this round that are complete, those of earlier attempts included. */
  public int completed() {
    return trained.size();
  }

  /**
   * Minibatches that an earlier attempt has trained, and that this one was not given so far. If any
   * is left at the end, the worker's data were others.
   */
  public int missing() {
    return due.size();
  }

  /** Outcomes of the checkpoints so far. */
  public CaptureStatistics statistics() {
    return captures.statistics();
  }

  /** Waits, within the engine's limits, until the last checkpoints have reached their levels. */
  @Override
  public void close() {
    checkpointer.close();
    captures.summarize();
  }
}
