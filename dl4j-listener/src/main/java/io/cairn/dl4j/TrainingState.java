package io.cairn.dl4j;

import io.cairn.RestoreException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The state that an exact resume needs besides the model's memory: counters, random generator and
 * iterator position, and what few trainings have. Immutable.
 *
 * <p>The encoding is big-endian:
 *
 * <pre>
 *   0  magic "CDL4"          4 bytes
 *   4  version               1 byte, 5; of version 4 all but the trace is read
 *   5  constraints due       1 byte, 0 or 1
 *   6  spare Gaussian        1 byte, 0 or 1
 *   7  of rounds             1 byte, 0 or 1
 *   8  iteration             8 bytes
 *  16  epoch                 8 bytes
 *  24  minibatches in epoch  8 bytes
 *  32  resets                8 bytes, -1 if the position is unknown
 *  40  minibatches since     8 bytes
 *      the last reset
 *  48  random root state     8 bytes
 *  56  random node state     8 bytes
 *  64  the spare Gaussian    8 bytes, a double
 *  72  OpenMP threads        4 bytes
 *  76  changed configuration length in 4 bytes, UTF-8
 *      configuration as built the same, deflated
 *      recurrent state       length in 4 bytes, bytes
 *      counters of listeners the same
 *      normaliser            the same
 *      trace of the data     the same, to the end
 * </pre>
 *
 * @param constraintsDue whether the capture preceded DL4J's constraints for the iteration
 * @param ofRounds whether iterations run elsewhere, so that {@code iteration} numbers the rounds of
 *     a training or the minibatches of a worker
 * @param iteration the last completed iteration, which is the checkpoint's
 * @param epoch DL4J's epoch counter, from 0
 * @param epochMinibatches minibatches consumed in the epoch; of rounds DL4J's iteration counter
 * @param position position of the iterator
 * @param random state of the training thread's generator
 * @param openMpThreads number of OpenMP threads that computed the state, or 0 if it is unknown
 * @param model parts of the network's state that lie outside of its memory
 * @param normalizer of the iterator, as {@link Normalizers} encodes it; empty if it has none
 * @param data the trace of the last minibatch, as {@link DataTrace} encodes it; empty if it is
 *     unknown
 */
record TrainingState(
    boolean constraintsDue,
    boolean ofRounds,
    int iteration,
    int epoch,
    long epochMinibatches,
    IteratorPosition position,
    RandomState random,
    int openMpThreads,
    ModelParts model,
    Bytes normalizer,
    Bytes data) {

  /** The state after an iteration of the model itself, whose data are unknown. */
  TrainingState(
      boolean constraintsDue,
      int iteration,
      int epoch,
      long epochMinibatches,
      IteratorPosition position,
      RandomState random,
      int openMpThreads,
      ModelParts model,
      Bytes normalizer) {
    this(
        constraintsDue,
        false,
        iteration,
        epoch,
        epochMinibatches,
        position,
        random,
        openMpThreads,
        model,
        normalizer,
        Bytes.NONE);
  }

  /** The state of a model whose next minibatch is the first one of its data. */
  static TrainingState atStart(TrainedModel model, ModelParts parts, Bytes normalizer) {
    return new TrainingState(
        false,
        Math.max(0, model.iterations() - 1),
        model.epochs(),
        0,
        new IteratorPosition(0, 0),
        ThreadGenerator.state(),
        UNKNOWN_THREADS,
        parts,
        normalizer);
  }

  /**
   * The state of a model whose iterations run elsewhere.
   *
   * @param number of the last completed round or minibatch
   */
  static TrainingState ofRounds(long number, TrainedModel model, int openMpThreads) {
    return new TrainingState(
        false,
        true,
        Math.toIntExact(number),
        model.epochs(),
        model.iterations(),
        IteratorPosition.UNKNOWN,
        ThreadGenerator.state(),
        openMpThreads,
        ModelParts.NONE,
        Bytes.NONE,
        Bytes.NONE);
  }

  /**
   * The position of a data iterator.
   *
   * @param resets calls of {@code reset()} since the training began, or -1 if unknown
   * @param minibatches minibatches consumed since the last reset
   */
  record IteratorPosition(long resets, long minibatches) implements Comparable<IteratorPosition> {
    /** The position in a loop that the application drives. */
    static final IteratorPosition UNKNOWN = new IteratorPosition(-1, 0);

    boolean known() {
      return resets >= 0;
    }

    @Override
    public int compareTo(IteratorPosition other) {
      return resets == other.resets
          ? Long.compare(minibatches, other.minibatches)
          : Long.compare(resets, other.resets);
    }
  }

  /**
   * The state of ND4J's generator.
   *
   * @param hasSpareGaussian whether {@code nextGaussian()} has computed its next number already
   * @param spareGaussian that number, else 0
   */
  record RandomState(long root, long node, boolean hasSpareGaussian, double spareGaussian) {}

  /**
   * The network, and its state outside of its flat memory.
   *
   * @param changed the configuration as JSON, if the training changed it, such as by {@code
   *     setLearningRate}; empty if it is the one that the program built
   * @param built the configuration that the program built, as {@link BuiltConfiguration} encodes it
   * @param recurrent as {@link RecurrentState} encodes it
   * @param listeners as {@link ListenerCounts} encodes it
   */
  record ModelParts(String changed, Bytes built, Bytes recurrent, Bytes listeners) {
    /** Of a network that keeps nothing. */
    static final ModelParts NONE = new ModelParts("", Bytes.NONE, Bytes.NONE, Bytes.NONE);
  }

  /** The number of OpenMP threads of a state that another program computed. */
  static final int UNKNOWN_THREADS = 0;

  private static final int MAGIC = 0x43444C34; // "CDL4"
  private static final byte VERSION = 5;

  /** Without the trace of the data. */
  private static final byte VERSION_BEFORE = 4;

  private static final int FIXED_BYTES = 76;

  /** DL4J's iteration counter, which is the number of the next iteration. */
  int iterations() {
    return ofRounds ? Math.toIntExact(epochMinibatches) : iteration + 1;
  }

  /** The same state of a network with these parts. */
  TrainingState with(ModelParts parts) {
    return with(parts, data);
  }

  /** The same state after a minibatch with this trace. */
  TrainingState after(DataTrace.Mark minibatch) {
    return with(model, minibatch.encode());
  }

  private TrainingState with(ModelParts parts, Bytes trace) {
    return new TrainingState(
        constraintsDue,
        ofRounds,
        iteration,
        epoch,
        epochMinibatches,
        position,
        random,
        openMpThreads,
        parts,
        normalizer,
        trace);
  }

  /** The trace of the last minibatch, if it is known. */
  Optional<DataTrace.Mark> minibatch() {
    return data.isEmpty() ? Optional.empty() : Optional.of(DataTrace.Mark.decode(data));
  }

  /** The parts in which another state differs, for people. */
  List<String> differences(TrainingState other) {
    Map<String, Function<TrainingState, Object>> parts = new LinkedHashMap<>();
    parts.put("constraints due", TrainingState::constraintsDue);
    parts.put("numbers of rounds", TrainingState::ofRounds);
    parts.put("iteration", TrainingState::iteration);
    parts.put("epoch", TrainingState::epoch);
    parts.put("minibatches in the epoch", TrainingState::epochMinibatches);
    parts.put("position of the iterator", TrainingState::position);
    parts.put("random generator", TrainingState::random);
    parts.put("OpenMP threads", TrainingState::openMpThreads);
    parts.put("changed configuration", state -> new BuiltConfiguration(state.model().changed()));
    parts.put("configuration as built", state -> configuration(state.model().built()));
    parts.put("recurrent state", state -> state.model().recurrent());
    parts.put("counters of listeners", state -> state.model().listeners());
    parts.put("normaliser", TrainingState::normalizer);
    parts.put(
        "features of the last minibatch",
        state -> state.minibatch().map(DataTrace.Mark::digest).orElse(0L));
    return parts.entrySet().stream()
        .filter(part -> !part.getValue().apply(this).equals(part.getValue().apply(other)))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The configuration, whose JSON has another order in each process; else the bytes. */
  private static Object configuration(Bytes built) {
    try {
      return BuiltConfiguration.decode(built);
    } catch (IOException e) {
      return built;
    }
  }

  /** Encodes the state in the layout above. */
  byte[] encode() {
    Bytes changed = Bytes.of(model.changed().getBytes(StandardCharsets.UTF_8));
    int parts =
        changed.size()
            + model.built().size()
            + model.recurrent().size()
            + model.listeners().size()
            + normalizer.size()
            + data.size();
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + 6 * Integer.BYTES + parts)
            .putInt(MAGIC)
            .put(VERSION)
            .put((byte) (constraintsDue ? 1 : 0))
            .put((byte) (random.hasSpareGaussian() ? 1 : 0))
            .put((byte) (ofRounds ? 1 : 0))
            .putLong(iteration)
            .putLong(epoch)
            .putLong(epochMinibatches)
            .putLong(position.resets())
            .putLong(position.minibatches())
            .putLong(random.root())
            .putLong(random.node())
            .putDouble(random.spareGaussian())
            .putInt(openMpThreads);
    changed.writeTo(out);
    model.built().writeTo(out);
    model.recurrent().writeTo(out);
    model.listeners().writeTo(out);
    normalizer.writeTo(out);
    data.writeTo(out);
    return out.array();
  }

  /**
   * Decodes the layout above.
   *
   * @throws RestoreException if the bytes have another layout or version
   */
  static TrainingState decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      TrainingState state = decode(in);
      require(!in.hasRemaining(), in.position(), "has " + in.remaining() + " bytes too many");
      return state;
    } catch (BufferUnderflowException e) {
      RestoreException shorter =
          refused(in.position(), "has " + bytes.length + " bytes, and more are needed");
      shorter.initCause(e);
      throw shorter;
    }
  }

  private static TrainingState decode(ByteBuffer in) {
    require(in.getInt() == MAGIC, 0, "does not begin with CDL4");
    byte version = in.get();
    require(
        version == VERSION || version == VERSION_BEFORE,
        4,
        "is of version " + version + "; this release reads " + VERSION_BEFORE + " and " + VERSION);
    boolean constraintsDue = in.get() != 0;
    boolean hasSpare = in.get() != 0;
    boolean ofRounds = in.get() != 0;
    return new TrainingState(
        constraintsDue,
        ofRounds,
        counter(in, "iteration"),
        counter(in, "epoch"),
        counter(in, "minibatches in the epoch"),
        new IteratorPosition(in.getLong(), in.getLong()),
        new RandomState(in.getLong(), in.getLong(), hasSpare, in.getDouble()),
        in.getInt(),
        new ModelParts(
            new String(part(in).array(), StandardCharsets.UTF_8), part(in), part(in), part(in)),
        part(in),
        version == VERSION_BEFORE ? Bytes.NONE : part(in));
  }

  private static Bytes part(ByteBuffer in) {
    int offset = in.position();
    int length = in.getInt();
    require(
        length >= 0 && length <= in.remaining(),
        offset,
        "has a part of " + length + " bytes, and " + in.remaining() + " follow");
    byte[] part = new byte[length];
    in.get(part);
    return Bytes.of(part);
  }

  private static int counter(ByteBuffer in, String name) {
    int offset = in.position();
    long value = in.getLong();
    require(value >= 0 && value <= Integer.MAX_VALUE, offset, "has " + name + " " + value);
    return (int) value;
  }

  private static void require(boolean condition, int offset, String what) {
    if (!condition) {
      throw refused(offset, what);
    }
  }

  private static RestoreException refused(int offset, String what) {
    return new RestoreException(
        "region " + ModelRegions.STATE + " " + what + " (at offset " + offset + ")");
  }
}
