package io.cairn.dl4j;

import io.cairn.core.session.RestoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The state that an exact resume needs besides the model's memory: counters, random generator and
 * iterator position. Immutable.
 *
 * <p>The encoding is big-endian:
 *
 * <pre>
 *   0  magic "CDL4"          4 bytes
 *   4  version               1 byte: 2 if a configuration follows, else 1
 *   5  constraints due       1 byte, 0 or 1
 *   6  zero                  2 bytes
 *   8  iteration             8 bytes
 *  16  epoch                 8 bytes
 *  24  minibatches in epoch  8 bytes
 *  32  resets                8 bytes, -1 if the position is unknown
 *  40  minibatches since     8 bytes
 *      the last reset
 *  48  random root state     8 bytes
 *  56  random node state     8 bytes
 *  64  OpenMP threads        4 bytes
 *  68  configuration         UTF-8, to the end
 * </pre>
 *
 * @param constraintsDue whether the capture preceded DL4J's constraints for the iteration
 * @param iteration the last completed iteration
 * @param epoch DL4J's epoch counter, from 0
 * @param epochMinibatches minibatches consumed in the epoch
 * @param position position of the iterator
 * @param random state of the training thread's generator
 * @param openMpThreads number of OpenMP threads that computed the state
 * @param configuration the network's configuration as JSON, if the training changed it, such as by
 *     {@code setLearningRate}; empty if it is the one that the program built
 */
record TrainingState(
    boolean constraintsDue,
    int iteration,
    int epoch,
    long epochMinibatches,
    IteratorPosition position,
    RandomState random,
    int openMpThreads,
    String configuration) {

  /**
   * The position of a data iterator.
   *
   * @param resets calls of {@code reset()} since the training began, or -1 if unknown
   * @param minibatches minibatches consumed since the last reset
   */
  record IteratorPosition(long resets, long minibatches) {
    /** The position in a loop that the application drives. */
    static final IteratorPosition UNKNOWN = new IteratorPosition(-1, 0);

    boolean known() {
      return resets >= 0;
    }
  }

  /** The two words of ND4J's generator. */
  record RandomState(long root, long node) {}

  private static final int MAGIC = 0x43444C34; // "CDL4"
  private static final byte AS_BUILT = 1;
  private static final byte CHANGED = 2;
  private static final int FIXED_BYTES = 68;

  /** The same state under another configuration. */
  TrainingState under(String changed) {
    return new TrainingState(
        constraintsDue,
        iteration,
        epoch,
        epochMinibatches,
        position,
        random,
        openMpThreads,
        changed);
  }

  /** Encodes the state in the layout above. */
  byte[] encode() {
    byte[] json = configuration.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED_BYTES + json.length)
        .putInt(MAGIC)
        .put(json.length == 0 ? AS_BUILT : CHANGED)
        .put((byte) (constraintsDue ? 1 : 0))
        .putShort((short) 0)
        .putLong(iteration)
        .putLong(epoch)
        .putLong(epochMinibatches)
        .putLong(position.resets())
        .putLong(position.minibatches())
        .putLong(random.root())
        .putLong(random.node())
        .putInt(openMpThreads)
        .put(json)
        .array();
  }

  /**
   * Decodes the layout above.
   *
   * @throws RestoreException if the bytes have another layout or version
   */
  static TrainingState decode(byte[] bytes) {
    int json = bytes.length - FIXED_BYTES;
    require(
        json >= 0, 0, "has " + bytes.length + " bytes, at least " + FIXED_BYTES + " are needed");
    ByteBuffer in = ByteBuffer.wrap(bytes);
    require(in.getInt() == MAGIC, 0, "does not begin with CDL4");
    byte version = in.get();
    require(
        version == AS_BUILT || version == CHANGED,
        4,
        "is of version " + version + "; this release reads " + AS_BUILT + " and " + CHANGED);
    require(
        (version == CHANGED) == (json > 0),
        FIXED_BYTES,
        "is of version " + version + " with a configuration of " + json + " bytes");
    boolean constraintsDue = in.get() != 0;
    in.getShort();
    return new TrainingState(
        constraintsDue,
        counter(in, "iteration"),
        counter(in, "epoch"),
        counter(in, "minibatches in the epoch"),
        new IteratorPosition(in.getLong(), in.getLong()),
        new RandomState(in.getLong(), in.getLong()),
        in.getInt(),
        new String(bytes, FIXED_BYTES, json, StandardCharsets.UTF_8));
  }

  private static int counter(ByteBuffer in, String name) {
    int offset = in.position();
    long value = in.getLong();
    require(value >= 0 && value <= Integer.MAX_VALUE, offset, "has " + name + " " + value);
    return (int) value;
  }

  private static void require(boolean condition, int offset, String what) {
    if (!condition) {
      throw new RestoreException(
          "region " + ModelRegions.STATE + " " + what + " (at offset " + offset + ")");
    }
  }
}
