package io.cairn.cli;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;

/** A kind of number in a region. */
enum Element {
  /** 4 bytes. */
  FLOAT(Float.BYTES),
  /** 8 bytes. */
  DOUBLE(Double.BYTES),
  /** 1 byte with a sign. */
  BYTE(Byte.BYTES),
  /** 2 bytes with a sign. */
  SHORT(Short.BYTES),
  /** 4 bytes with a sign. */
  INT(Integer.BYTES),
  /** 8 bytes with a sign; differences are rounded to those of doubles. */
  LONG(Long.BYTES);

  private final int bytes;

  Element(int bytes) {
    this.bytes = bytes;
  }

  /** Length of one number. */
  int bytes() {
    return bytes;
  }

  /** The number at an index of the buffer, in the buffer's order. */
  double value(ByteBuffer from, int index) {
    return switch (this) {
      case FLOAT -> from.getFloat(index);
      case DOUBLE -> from.getDouble(index);
      case BYTE -> from.get(index);
      case SHORT -> from.getShort(index);
      case INT -> from.getInt(index);
      case LONG -> from.getLong(index);
    };
  }

  /** The name in manifests and on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The element with a name such as {@code float}; empty for other names. */
  static Optional<Element> of(String label) {
    for (Element each : values()) {
      if (each.label().equals(label)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** The element of a region's kind such as {@code float[250] in 3 spans}; empty for others. */
  static Optional<Element> ofKind(String kind) {
    int bracket = kind.indexOf('[');
    return bracket < 0 ? Optional.empty() : of(kind.substring(0, bracket));
  }
}
