package io.cairn.dl4j;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** A sequence of bytes that does not change, equal to another by its content. Thread-safe. */
final class Bytes {
  /** No bytes. */
  static final Bytes NONE = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** Takes an array, which nobody may change any more. */
  static Bytes of(byte[] content) {
    return content.length == 0 ? NONE : new Bytes(content);
  }

  int size() {
    return content.length;
  }

  boolean isEmpty() {
    return content.length == 0;
  }

  /** The content, which nobody may change. */
  byte[] array() {
    return content;
  }

  /** Writes the length in 4 bytes, then the content. */
  void writeTo(ByteBuffer out) {
    out.putInt(content.length).put(content);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return content.length + " bytes";
  }
}
