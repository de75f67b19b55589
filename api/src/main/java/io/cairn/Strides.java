package io.cairn;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Kinds of regions that hold an array in any order of its elements, such as a channels-last tensor.
 * Stateless.
 */
public final class Strides {
  private static final String BEGIN = " strides ";

  /** Of a fingerprint's value. */
  private static final int MOST_LENGTH = 128;

  /** Of a digest over shape and strides; enough to notice that they changed. */
  private static final int DIGITS = 16;

  private Strides() {}

  /**
   * The kind of an array: {@code float[3, 4]} in row-major order, else {@code float[3, 4] strides
   * [1, 3]}. A long one is shortened by a digest, and still differs from any other.
   *
   * @param element such as {@code float}
   * @param shape the sizes of the dimensions
   * @param strides elements from one index of a dimension to the next, as many as dimensions; that
   *     of a dimension of size 1 does not matter
   * @throws IllegalArgumentException if shape and strides have different lengths
   */
  public static String kind(String element, long[] shape, long[] strides) {
    if (shape.length != strides.length) {
      throw new IllegalArgumentException(
          "shape %s and strides %s: give a stride for each dimension"
              .formatted(Arrays.toString(shape), Arrays.toString(strides)));
    }
    long[] rowMajor = new long[shape.length];
    long[] counted = strides.clone();
    long stride = 1;
    for (int i = shape.length - 1; i >= 0; i--) {
      rowMajor[i] = stride;
      counted[i] = shape[i] == 1 ? stride : strides[i];
      stride *= shape[i];
    }
    boolean strided = !Arrays.equals(counted, rowMajor);
    String ofShape = element + Arrays.toString(shape);
    String all = strided ? ofShape + BEGIN + Arrays.toString(counted) : ofShape;
    return all.length() <= MOST_LENGTH ? all : shortened(element, shape.length, strided, all);
  }

  private static String shortened(String element, int rank, boolean strided, String all) {
    String digest = Digest.of(all.getBytes(StandardCharsets.US_ASCII)).toString();
    return String.format(
        Locale.ROOT,
        "%s[rank %d]%ssha256 %s",
        element,
        rank,
        strided ? BEGIN : ", ",
        digest.substring(0, DIGITS));
  }

  /** Whether a kind names an array that is not in row-major order. */
  public static boolean areIn(String kind) {
    return kind.contains(BEGIN);
  }
}
