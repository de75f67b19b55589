package io.cairn.dl4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.RestoreException;
import io.cairn.dl4j.TrainingState.RandomState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.api.shape.Shape;

/**
 * The minibatches that a training reads, so that a later process recognises them when it reads them
 * again. Reads no minibatch of the past, whose memory may be freed. Not thread-safe: the training
 * thread owns it.
 */
final class DataTrace {
  /** The digest of no description. */
  private static final long UNDESCRIBED = -1;

  private long examples;
  private long digest;
  private RandomState before = new RandomState(0, 0, false, 0);
  private InPlace inPlace = InPlace.UNKNOWN;

  /** The features of one minibatch, to see whether a later pass finds others in their memory. */
  private List<Held> held = List.of();

  private int passesHeld;

  /**
   * An array of features, reachable so that no other takes its memory.
   *
   * @param address of its memory when it was read
   * @param digest of its elements then
   */
  private record Held(INDArray array, long address, long digest) {
    static Held of(INDArray array) {
      return new Held(array, DataTrace.address(array), DataTrace.digest(array));
    }

    boolean hasMemoryOf(@Nullable INDArray other) {
      return other != null && !other.isEmpty() && DataTrace.address(other) == address;
    }

    boolean changedIn(@Nullable INDArray other) {
      return hasMemoryOf(other)
          && !array.wasClosed()
          && other != null
          && DataTrace.digest(other) != digest;
    }
  }

  /**
   * Whether an iterator changes its data at each pass, such as by a preprocessor that writes into
   * the arrays that the next pass returns.
   */
  enum InPlace {
    /** The second pass is not complete. */
    UNKNOWN(0),
    /** It does, so its data depend on the number of times that they were read. */
    YES(1),
    /** It does not. */
    NO(2);

    private final int code;

    InPlace(int code) {
      this.code = code;
    }

    private static InPlace of(int code) {
      return Arrays.stream(values())
          .filter(each -> each.code == code)
          .findFirst()
          .orElseThrow(() -> Mark.refused("the kind " + code));
    }
  }

  /**
   * The trace of the last minibatch.
   *
   * @param examples read since the last reset
   * @param digest of the last minibatch's features
   * @param data digest of the description of the data, or -1 if nobody described them
   * @param before the generator before that minibatch was read
   */
  record Mark(long examples, long digest, InPlace inPlace, long data, RandomState before) {
    /** Whether the data are certainly not those of a description. */
    boolean isOfOther(String description) {
      return data != UNDESCRIBED && data != DataTrace.digest(description);
    }

    private static final int BYTES = 5 * Long.BYTES + 2 + Double.BYTES;

    /** The trace as bytes. */
    Bytes encode() {
      return Bytes.of(
          ByteBuffer.allocate(BYTES)
              .putLong(examples)
              .putLong(digest)
              .put((byte) inPlace.code)
              .putLong(data)
              .putLong(before.root())
              .putLong(before.node())
              .put((byte) (before.hasSpareGaussian() ? 1 : 0))
              .putDouble(before.spareGaussian())
              .array());
    }

    /**
     * Decodes what {@link #encode} wrote.
     *
     * @throws RestoreException if the bytes are of another form
     */
    static Mark decode(Bytes encoded) {
      if (encoded.size() != BYTES) {
        throw refused(encoded.size() + " bytes, expected are " + BYTES);
      }
      ByteBuffer in = ByteBuffer.wrap(encoded.array());
      long examples = in.getLong();
      long digest = in.getLong();
      InPlace inPlace = InPlace.of(in.get());
      long data = in.getLong();
      long root = in.getLong();
      long node = in.getLong();
      boolean spare = in.get() != 0;
      return new Mark(
          examples, digest, inPlace, data, new RandomState(root, node, spare, in.getDouble()));
    }

    private static RestoreException refused(String found) {
      return new RestoreException(
          "region " + ModelRegions.STATE + " has a trace of the data of " + found);
    }
  }

  /** The iterator was reset. */
  void reset() {
    examples = 0;
    passesHeld++;
    if (!held.isEmpty() && passesHeld > 1) {
      decide(InPlace.NO);
    }
  }

  /** Examples were left out without reading them. */
  void skip(long examplesOfThem) {
    examples += examplesOfThem;
  }

  /** A minibatch was read over. */
  void readOver(@Nullable INDArray[] features) {
    skip(examples(features));
    if (inPlace == InPlace.UNKNOWN) {
      compare(features);
    }
  }

  /** A minibatch was read, before anybody changes it. */
  void read(@Nullable INDArray[] features, RandomState generatorBefore) {
    readOver(features);
    before = generatorBefore;
    digest = digest(features);
  }

  private void compare(@Nullable INDArray[] features) {
    List<@Nullable INDArray> arrays = Arrays.asList(features);
    if (held.isEmpty()) {
      hold(features);
    } else if (passesHeld > 0) {
      if (held.stream().anyMatch(each -> arrays.stream().anyMatch(each::changedIn))) {
        decide(InPlace.YES);
      }
    } else {
      // memory that a pass fills again shows nothing about the data
      held = held.stream().filter(each -> arrays.stream().noneMatch(each::hasMemoryOf)).toList();
      if (held.isEmpty()) {
        decide(InPlace.NO);
      }
    }
  }

  private void decide(InPlace known) {
    inPlace = known;
    held = List.of();
  }

  private void hold(@Nullable INDArray[] features) {
    // the memory of an array in a workspace is used again
    List<Held> all = new ArrayList<>();
    for (INDArray array : features) {
      if (array != null && !array.isAttached() && !array.isEmpty()) {
        all.add(Held.of(array));
      }
    }
    held = List.copyOf(all);
    passesHeld = 0;
  }

  /** Goes on from the trace of an earlier process. */
  void resume(Mark mark) {
    if (mark.inPlace() != InPlace.UNKNOWN) {
      decide(mark.inPlace());
    }
  }

  /** Examples read since the last reset. */
  long examples() {
    return examples;
  }

  /** The digest of the last minibatch's features. */
  long digest() {
    return digest;
  }

  /**
   * The trace of the last minibatch.
   *
   * @param description of the data
   */
  Mark mark(String description) {
    return mark(digest(description));
  }

  /** The trace of the last minibatch of data that nobody described. */
  Mark mark() {
    return mark(UNDESCRIBED);
  }

  private Mark mark(long data) {
    return new Mark(examples, digest, inPlace, data, before);
  }

  /** Tells descriptions of data apart; not negative. */
  private static long digest(String description) {
    CRC32C sum = new CRC32C();
    sum.update(description.getBytes(UTF_8));
    return sum.getValue();
  }

  /** The number of examples of a minibatch; 0 without features. */
  static long examples(@Nullable INDArray[] features) {
    INDArray first = features.length == 0 ? null : features[0];
    return first == null || first.rank() == 0 ? 0 : first.size(0);
  }

  private static long address(INDArray array) {
    return TrainedMemory.onHost(array).address();
  }

  private static long digest(@Nullable INDArray... features) {
    CRC32C sum = new CRC32C();
    for (INDArray array : features) {
      String kind = array == null ? "none" : array.dataType() + Arrays.toString(array.shape());
      sum.update(kind.getBytes(UTF_8));
      if (array != null && array.dataType() != DataType.UTF8) {
        ModelDigest.slices(inOrder(array), sum::update);
      }
    }
    return sum.getValue();
  }

  /** An array whose elements follow each other in logical order. */
  private static INDArray inOrder(INDArray array) {
    boolean plain = array.ordering() == 'c' && Shape.hasDefaultStridesForShape(array);
    return plain ? array : array.dup('c');
  }
}
