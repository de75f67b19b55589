package io.cairn.dl4j;

import io.cairn.RestoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.deeplearning4j.earlystopping.EarlyStoppingResult.TerminationReason;

/**
 * The past of an early stopping: the score of each evaluated epoch, in their order, and how it
 * ended. The best epoch and the memory of DL4J's conditions follow from the scores. Immutable.
 *
 * <p>The encoding is big-endian:
 *
 * <pre>
 *   0  magic "CEST"          4 bytes
 *   4  version               1 byte, 1
 *   5  end                   1 byte: 0 none, 1 by an epoch's condition, 2 by an iteration's
 *   6  epochs at the end     4 bytes, else 0
 *  10  number of scores      4 bytes, n
 *  14  epoch and score       n times 4 bytes and a double in 8 bytes, epochs rising from 0
 *      condition that ended  UTF-8, to the end
 * </pre>
 *
 * @param scores by epoch, from 0
 */
record StoppingHistory(Map<Integer, Double> scores, Optional<End> end) {
  /** Of a training that begins. */
  static final StoppingHistory NONE = new StoppingHistory(Map.of(), Optional.empty());

  private static final int MAGIC = 0x43455354; // "CEST"
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 14;
  private static final int BYTES_EACH = Integer.BYTES + Double.BYTES;

  StoppingHistory {
    scores = Collections.unmodifiableMap(new LinkedHashMap<>(scores));
  }

  /**
   * The end of a training.
   *
   * @param details names the condition
   * @param epochs as DL4J counts them: those that are complete
   */
  record End(TerminationReason reason, String details, int epochs) {}

  /** An epoch and its score. */
  record Best(int epoch, double score) {}

  /** The same with one more evaluation. */
  StoppingHistory with(int epoch, double score) {
    Map<Integer, Double> more = new LinkedHashMap<>(scores);
    more.put(epoch, score);
    return new StoppingHistory(more, end);
  }

  /** The same, ended. */
  StoppingHistory ended(TerminationReason reason, String details, int epochs) {
    return new StoppingHistory(scores, Optional.of(new End(reason, details, epochs)));
  }

  /** The same, which goes on. */
  StoppingHistory reopened() {
    return new StoppingHistory(scores, Optional.empty());
  }

  /** The best evaluation by DL4J's rule: the first of equal ones, and a first score always. */
  Optional<Best> best(boolean lowest) {
    Optional<Best> best = Optional.empty();
    for (Map.Entry<Integer, Double> one : scores.entrySet()) {
      double score = one.getValue();
      if (best.isEmpty() ? isFirst(lowest, score) : isBetter(lowest, score, best.get().score())) {
        best = Optional.of(new Best(one.getKey(), score));
      }
    }
    return best;
  }

  private static boolean isFirst(boolean lowest, double score) {
    return !Double.isFinite(score)
        || isBetter(lowest, score, lowest ? Double.MAX_VALUE : -Double.MAX_VALUE);
  }

  private static boolean isBetter(boolean lowest, double score, double than) {
    return lowest ? score < than : score > than;
  }

  /** Encodes the history in the layout above. */
  byte[] encode() {
    byte[] details =
        end.map(known -> known.details().getBytes(StandardCharsets.UTF_8)).orElse(new byte[0]);
    ByteBuffer out =
        ByteBuffer.allocate(FIXED_BYTES + scores.size() * BYTES_EACH + details.length)
            .putInt(MAGIC)
            .put(VERSION)
            .put(end.map(known -> code(known.reason())).orElse((byte) 0))
            .putInt(end.map(End::epochs).orElse(0))
            .putInt(scores.size());
    scores.forEach((epoch, score) -> out.putInt(epoch).putDouble(score));
    return out.put(details).array();
  }

  private static byte code(TerminationReason reason) {
    return switch (reason) {
      case EpochTerminationCondition -> 1;
      case IterationTerminationCondition -> 2;
      case Error -> throw new IllegalStateException("an error is no end that lasts");
    };
  }

  /**
   * Decodes the layout above.
   *
   * @throws RestoreException if the bytes have another layout or version
   */
  static StoppingHistory decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    try {
      return decode(in);
    } catch (BufferUnderflowException e) {
      RestoreException shorter =
          refused("has " + bytes.length + " bytes, and more are needed", in.position());
      shorter.initCause(e);
      throw shorter;
    }
  }

  private static StoppingHistory decode(ByteBuffer in) {
    require(in.getInt() == MAGIC, "does not begin with CEST", 0);
    byte version = in.get();
    require(version == VERSION, "is of version " + version + "; this release reads " + VERSION, 4);
    byte code = in.get();
    require(code >= 0 && code <= 2, "has the end " + code, 5);
    int epochs = in.getInt();
    Map<Integer, Double> scores = scores(in);
    byte[] details = new byte[in.remaining()];
    in.get(details);
    StoppingHistory open = new StoppingHistory(scores, Optional.empty());
    return code == 0
        ? open
        : open.ended(
            code == 1
                ? TerminationReason.EpochTerminationCondition
                : TerminationReason.IterationTerminationCondition,
            new String(details, StandardCharsets.UTF_8),
            epochs);
  }

  private static Map<Integer, Double> scores(ByteBuffer in) {
    int count = in.getInt();
    require(count >= 0 && count <= in.remaining() / BYTES_EACH, "has " + count + " scores", 10);
    Map<Integer, Double> scores = new LinkedHashMap<>();
    int last = -1;
    for (int k = 0; k < count; k++) {
      int epoch = in.getInt();
      require(epoch > last, "has epoch " + epoch + " after " + last, in.position() - 4);
      last = epoch;
      scores.put(epoch, in.getDouble());
    }
    return scores;
  }

  private static void require(boolean condition, String what, int offset) {
    if (!condition) {
      throw refused(what, offset);
    }
  }

  private static RestoreException refused(String what, int offset) {
    return new RestoreException(
        "region " + CairnEarlyStopping.REGION + " " + what + " (at offset " + offset + ")");
  }
}
