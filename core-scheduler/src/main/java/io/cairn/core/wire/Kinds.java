package io.cairn.core.wire;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The kinds of one sealed family of messages: for each record its code on the wire, and how its
 * fields are written and read. A message is its code in one byte, then its fields. Immutable;
 * reading and writing take one table look-up.
 *
 * @param <T> the sealed family
 */
final class Kinds<T> {
  /** One record of the family. */
  record Kind<K>(
      int code, Class<K> type, FieldWriter.Body<K> body, FieldReader.Parser<? extends K> parser) {
    private void write(FieldWriter out, Object message) throws IOException {
      out.writeByte(code);
      body.write(out, type.cast(message));
    }
  }

  private final String noun;
  private final Map<Class<?>, Kind<? extends T>> byType = new HashMap<>();
  private final Map<Integer, Kind<? extends T>> byCode = new HashMap<>();

  /**
   * The kinds of a family.
   *
   * @param noun names a message of the family in refusals, such as {@code "lease request"}
   * @throws IllegalArgumentException if two kinds have the same code or type
   */
  Kinds(String noun, List<Kind<? extends T>> kinds) {
    this.noun = noun;
    for (Kind<? extends T> kind : kinds) {
      if (byCode.put(kind.code(), kind) != null || byType.put(kind.type(), kind) != null) {
        throw new IllegalArgumentException("two kinds of " + noun + " like " + kind);
      }
    }
  }

  /** Shorthand for {@link Kind}'s constructor, which infers the record. */
  static <K> Kind<K> kind(
      int code, Class<K> type, FieldWriter.Body<K> body, FieldReader.Parser<? extends K> parser) {
    return new Kind<>(code, type, body, parser);
  }

  /**
   * Writes a message: its code, then its fields.
   *
   * @throws IllegalArgumentException naming the class, if it is no kind of this family
   */
  void write(FieldWriter out, T message) throws IOException {
    Kind<? extends T> kind = byType.get(message.getClass());
    if (kind == null) {
      throw new IllegalArgumentException(
          "no kind of " + noun + " is a " + message.getClass().getName());
    }
    kind.write(out, message);
  }

  /** Whether the family has a kind with this code. */
  boolean has(int code) {
    return byCode.containsKey(code);
  }

  /**
   * Reads a message.
   *
   * @throws IOException if its code is unknown, or its fields are damaged
   */
  T read(FieldReader in) throws IOException {
    int code = in.readUnsignedByte();
    Kind<? extends T> kind = byCode.get(code);
    if (kind == null) {
      throw new IOException("no " + noun + " has kind " + code);
    }
    return kind.parser().read(in);
  }
}
