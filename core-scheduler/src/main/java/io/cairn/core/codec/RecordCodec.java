package io.cairn.core.codec;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * The values of a sealed type as bytes: one byte for the version, then the value. A value of a
 * sealed type is a code in a byte, then its record; a record is its components in their order. The
 * code of a record is its number among all records of the type by their names, from 1, so that no
 * record lacks one. Both ends run the same version, since one application ships both; the version
 * byte refuses another one. Immutable; linear in the length.
 *
 * <p>Components are ints, longs, booleans, texts of at most 65 535 bytes, enums, buffers of the
 * heap, arrays of ints, records and sealed types; and optional values, lists, sets and maps of
 * these. {@link Clipped} bounds what the sender may clip. Classes are examined once, when the codec
 * is made.
 *
 * @param <T> the sealed type
 */
public final class RecordCodec<T> {
  private static final int USUAL_BYTES = 128;

  private final Class<T> type;
  private final List<Class<?>> kinds;
  private final int version;
  private final Form form;

  /**
   * A codec.
   *
   * @param version 0 to 255
   * @throws IllegalArgumentException naming the type, if a component is of another one
   */
  public RecordCodec(Class<T> type, int version) {
    this.type = type;
    this.kinds = Forms.records(type);
    this.version = version;
    this.form = new Forms().of(type);
  }

  /**
   * The bytes of a value.
   *
   * @throws IllegalArgumentException naming the class, if a text has more than 65 535 bytes
   */
  public byte[] encode(T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.writeByte(version);
      form.writer().write(out, value);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "a " + value.getClass().getSimpleName() + " cannot be sent: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /**
   * The value in {@code bytes}, which may be anything, and which the value may keep. Takes memory
   * in proportion to them.
   *
   * @param expected the sealed type, a part of it, or one of its records
   * @throws IllegalArgumentException and nothing else, naming field, offset and reason, if the
   *     bytes are no such value
   */
  public <V extends T> V decode(byte[] bytes, Class<V> expected) {
    FieldReader in = new FieldReader(bytes);
    try {
      requireVersion(in);
      Object value = form.reader().read(in);
      if (in.available() > 0) {
        throw new IOException("bytes left over");
      } else if (!expected.isInstance(value)) {
        throw new IOException("it is a " + value.getClass().getSimpleName());
      }
      return expected.cast(value);
    } catch (IOException | IllegalArgumentException e) {
      throw in.refusal(expected.getSimpleName(), e);
    }
  }

  /**
   * The record that {@code bytes}, which may be anything, begin as a value of; the rest is not
   * read.
   *
   * @throws IllegalArgumentException and nothing else, as of {@link #decode}
   */
  public Class<?> kind(byte[] bytes) {
    FieldReader in = new FieldReader(bytes);
    try {
      requireVersion(in);
      return Forms.kind(type, kinds, in.readUnsignedByte());
    } catch (IOException e) {
      throw in.refusal(type.getSimpleName(), e);
    }
  }

  private void requireVersion(FieldReader in) throws IOException {
    int found = in.readUnsignedByte();
    if (found != version) {
      throw new IOException(
          "version " + found + ", this is " + version + ": give all processes the same one");
    }
  }
}
