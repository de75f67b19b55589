package io.cairn.dl4j.files;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A tensor in a safetensors file. Immutable.
 *
 * @param type name of the type of its elements, such as {@code F32}
 * @param shape lengths of its dimensions; none for a single number
 * @param begin of its bytes, counted from the end of the header
 * @param end of its bytes
 */
record TensorSpan(String type, List<Long> shape, long begin, long end) {
  /** Copies the list. */
  TensorSpan {
    shape = List.copyOf(shape);
  }

  /** The next tensor after {@code begin}. */
  static TensorSpan at(long begin, ElementType type, long[] shape) {
    List<Long> lengths = Arrays.stream(shape).boxed().toList();
    long elements = lengths.stream().reduce(1L, Math::multiplyExact);
    return new TensorSpan(type.name(), lengths, begin, begin + elements * type.bytes());
  }

  /** Type and shape, such as {@code F32[3, 4]}. */
  String kind() {
    return type + shape;
  }

  /** The shape as JSON. */
  String json() {
    return shape.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
  }
}
