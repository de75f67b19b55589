package io.cairn.dl4j;

import io.cairn.RestoreException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.dataset.api.preprocessor.ImagePreProcessingScaler;
import org.nd4j.linalg.dataset.api.preprocessor.Normalizer;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerSerializer;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerType;

/**
 * ND4J's own normalisers as bytes. A normaliser of an application's class counts as part of the
 * program: its statistics are not saved. Stateless.
 */
final class Normalizers {
  private Normalizers() {}

  /** The name of a preprocessor's class after a comma; empty unless it can be saved. */
  static String suffix(@Nullable Object preProcessor) {
    return known(preProcessor).map(one -> ", " + one.getClass().getSimpleName()).orElse("");
  }

  private static Optional<Normalizer<?>> known(@Nullable Object preProcessor) {
    return preProcessor instanceof Normalizer<?> normalizer && isWritable(normalizer)
        ? Optional.of(normalizer)
        : Optional.empty();
  }

  /** ND4J has no form for two of its own, which have no statistics. */
  private static boolean isWritable(Normalizer<?> normalizer) {
    NormalizerType type = normalizer.getType();
    return type != NormalizerType.CUSTOM
        && type != NormalizerType.IMAGE_VGG16
        && (type != NormalizerType.IMAGE_MIN_MAX || normalizer instanceof ImagePreProcessingScaler);
  }

  /**
   * A preprocessor's statistics; empty unless it is a normaliser of ND4J that has some.
   *
   * @throws IllegalArgumentException if it was not fitted
   */
  static Bytes encode(@Nullable Object preProcessor) {
    return known(preProcessor).map(Normalizers::written).orElse(Bytes.NONE);
  }

  private static Bytes written(Normalizer<?> normalizer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      NormalizerSerializer.getDefault().write(normalizer, bytes);
    } catch (IOException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the iterator's "
              + normalizer.getClass().getSimpleName()
              + " cannot be saved: fit it before the training resumes",
          e);
    }
    return Bytes.of(bytes.toByteArray());
  }

  /**
   * The normaliser of a checkpoint.
   *
   * @throws RestoreException if the bytes are of another form
   */
  static Normalizer<?> decode(Bytes encoded) {
    try {
      requireKnownType(encoded);
      return NormalizerSerializer.getDefault().restore(new ByteArrayInputStream(encoded.array()));
    } catch (Exception e) {
      RestoreException failure =
          new RestoreException("the normaliser of the iterator cannot be read: " + e);
      failure.initCause(e);
      throw failure;
    }
  }

  /** ND4J would load a class by the name that the bytes of a custom normaliser give. */
  private static void requireKnownType(Bytes encoded) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded.array()));
    in.readUTF();
    in.readInt();
    String type = in.readUTF();
    if (NormalizerType.valueOf(type) == NormalizerType.CUSTOM) {
      throw new IOException("a normaliser of type " + type);
    }
  }
}
