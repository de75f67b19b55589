package io.cairn.dl4j.files;

import java.util.Arrays;
import org.nd4j.linalg.api.buffer.DataType;

/** The types of elements that parameters have, by their names in safetensors and in ND4J. */
enum ElementType {
  F64(DataType.DOUBLE, 8),
  F32(DataType.FLOAT, 4),
  F16(DataType.FLOAT16, 2),
  BF16(DataType.BFLOAT16, 2);

  private final DataType type;
  private final int bytes;

  ElementType(DataType type, int bytes) {
    this.type = type;
    this.bytes = bytes;
  }

  /**
   * The type of an array of ND4J.
   *
   * @throws IllegalArgumentException if no file can hold it
   */
  static ElementType of(DataType type) {
    return Arrays.stream(values())
        .filter(each -> each.type == type)
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("parameters of type " + type + " have no file"));
  }

  /** ND4J's type. */
  DataType type() {
    return type;
  }

  /** Bytes of an element. */
  int bytes() {
    return bytes;
  }
}
