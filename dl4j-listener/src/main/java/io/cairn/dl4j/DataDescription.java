package io.cairn.dl4j;

import io.cairn.Digest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Tells data sets apart by their first minibatch: types and shapes of its features and labels, and
 * a checksum of the labels. The values of features do not count, since an iterator may change them
 * at random, and a normaliser is restored. Stateless.
 */
final class DataDescription {
  private static final int MOST_CHARACTERS = 128;
  private static final int MOST_HASHED = 1 << 16;

  private DataDescription() {}

  /**
   * Describes a minibatch in at most 128 printable ASCII characters, such as {@code features
   * float[5, 6], labels float[5, 3], crc32c 1a2b3c4d}. Reads at most 65 536 elements of each array
   * of labels.
   *
   * @param preProcessor of the iterator, whose class counts if it is a normaliser
   */
  static String of(
      @Nullable INDArray @Nullable [] features,
      @Nullable INDArray @Nullable [] labels,
      @Nullable Object preProcessor) {
    String shapes =
        "features %s, labels %s%s"
            .formatted(shapes(features), shapes(labels), Normalizers.suffix(preProcessor));
    String checksum = String.format(Locale.ROOT, ", crc32c %08x", checksum(labels));
    if (shapes.length() + checksum.length() > MOST_CHARACTERS) {
      shapes = "arrays of sha256 " + Digest.of(shapes.getBytes(StandardCharsets.UTF_8));
    }
    return shapes + checksum;
  }

  private static String shapes(@Nullable INDArray @Nullable [] arrays) {
    List<String> shapes =
        present(arrays).stream()
            .map(
                array ->
                    array.dataType().name().toLowerCase(Locale.ROOT)
                        + Arrays.toString(array.shape()))
            .toList();
    return shapes.isEmpty() ? "absent" : shapes.stream().collect(Collectors.joining(" "));
  }

  private static long checksum(@Nullable INDArray @Nullable [] labels) {
    CRC32C checksum = new CRC32C();
    present(labels).forEach(array -> update(checksum, array));
    return checksum.getValue();
  }

  private static void update(CRC32C checksum, INDArray array) {
    long elements = Math.min(array.length(), MOST_HASHED);
    // by logical order, since equal data may lie in another order in memory
    for (long index = 0; index < elements; index++) {
      long bits = Double.doubleToLongBits(array.getDouble(index));
      for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        checksum.update((int) (bits >>> shift));
      }
    }
  }

  private static List<INDArray> present(@Nullable INDArray @Nullable [] arrays) {
    List<INDArray> present = new ArrayList<>();
    if (arrays != null) {
      for (INDArray array : arrays) {
        if (array != null) {
          present.add(array);
        }
      }
    }
    return present;
  }
}
