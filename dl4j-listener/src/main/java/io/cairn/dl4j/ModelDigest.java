package io.cairn.dl4j;

import io.cairn.Digest;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.deeplearning4j.nn.api.Model;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * SHA-256 of a model's parameters followed by its updater's state, as they lie in memory. Two
 * models have the same digest exactly if training continues from both alike. Copies nothing. The
 * model must not be trained meanwhile.
 */
public final class ModelDigest {
  private static final long SLICE_BYTES = 1L << 30;

  private ModelDigest() {}

  /**
   * The digest of a {@code MultiLayerNetwork} or {@code ComputationGraph}; initialises the model
   * and creates its updater if it has none yet.
   *
   * @throws IllegalArgumentException if the model is of another kind, or {@link CairnTraining}
   *     refuses it
   */
  public static Digest of(Model model) {
    TrainedModel trained = TrainedModel.of(model);
    MessageDigest sha = sha256();
    update(sha, trained.parameters());
    update(sha, trained.updaterState());
    return new Digest(HexFormat.of().formatHex(sha.digest()));
  }

  /** Adds an array whose elements follow each other in memory. */
  static void update(MessageDigest sha, @Nullable INDArray flat) {
    if (flat != null) {
      slices(flat, sha::update);
    }
  }

  /** The bytes of an array whose elements follow each other in memory. */
  static void slices(INDArray flat, Consumer<ByteBuffer> sink) {
    if (!flat.isEmpty()) {
      BytePointer memory = TrainedMemory.onHost(flat);
      slices(memory, memory.capacity(), sink);
    }
  }

  /** SHA-256 of native memory that nobody writes meanwhile. */
  static Digest of(long address, long bytes) {
    MessageDigest sha = sha256();
    slices(new BytePointer(new At(address)), bytes, sha::update);
    return new Digest(HexFormat.of().formatHex(sha.digest()));
  }

  private static final class At extends Pointer {
    At(long at) {
      address = at;
    }
  }

  private static void slices(BytePointer memory, long bytes, Consumer<ByteBuffer> sink) {
    memory.capacity(bytes);
    for (long from = 0; from < bytes; from += SLICE_BYTES) {
      memory.position(from).limit(Math.min(bytes, from + SLICE_BYTES));
      sink.accept(memory.asByteBuffer());
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
