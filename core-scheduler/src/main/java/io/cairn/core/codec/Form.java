package io.cairn.core.codec;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How the values of one type are written and read. An enum's constant is its name. An optional
 * value is a flag, then the value. Lists, sets, maps, arrays and buffers are their length, then
 * their entries. No value takes more memory than a small multiple of the bytes that are left.
 * Immutable.
 *
 * @param leastBytes that a value takes
 */
record Form(int leastBytes, Writer writer, Reader reader) {
  static final Form FLAG =
      new Form(1, (out, flag) -> out.writeBoolean((boolean) flag), FieldReader::readFlag);
  static final Form INT =
      new Form(4, (out, number) -> out.writeInt((int) number), FieldReader::readInt);
  static final Form LONG =
      new Form(8, (out, number) -> out.writeLong((long) number), FieldReader::readLong);
  static final Form INTS = new Form(4, Form::writeInts, Form::readInts);
  static final Form BYTES = new Form(4, Form::writeBytes, FieldReader::readBytes);

  /** Writes a value. */
  @FunctionalInterface
  interface Writer {
    void write(DataOutputStream out, Object value) throws IOException;
  }

  /** Reads a value. */
  @FunctionalInterface
  interface Reader {
    /**
     * Reads the value.
     *
     * @throws IOException with what is wrong with the bytes
     * @throws IllegalArgumentException if a record's constructor refuses its components
     */
    Object read(FieldReader in) throws IOException;
  }

  /** Texts; longer ones are clipped. */
  static Form text(int mostCharacters) {
    return new Form(
        2,
        (out, value) -> {
          String text = (String) value;
          boolean fits = text.length() <= mostCharacters;
          out.writeUTF(fits ? text : text.substring(0, mostCharacters - 1) + "…");
        },
        in -> {
          String text = in.readUTF();
          if (text.length() > mostCharacters) {
            throw new IOException("a text of " + text.length() + " characters");
          }
          return text;
        });
  }

  /** Constants of an enum. */
  static Form constant(Class<?> type) {
    Map<String, Object> constants = new HashMap<>();
    for (Object constant : type.getEnumConstants()) {
      constants.put(((Enum<?>) constant).name(), constant);
    }
    return new Form(
        2,
        (out, constant) -> out.writeUTF(((Enum<?>) constant).name()),
        in -> {
          String name = in.readUTF();
          Object constant = constants.get(name);
          if (constant == null) {
            throw new IOException("no " + type.getSimpleName() + " is named '" + name + "'");
          }
          return constant;
        });
  }

  /** Optional values; longer ones are left out. */
  static Form optional(Form entry, int mostBytes) {
    return new Form(
        1,
        (out, value) -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          Optional<?> optional = (Optional<?>) value;
          if (optional.isPresent()) {
            entry.writer.write(new DataOutputStream(bytes), optional.get());
          }
          boolean sent = optional.isPresent() && bytes.size() <= mostBytes;
          out.writeBoolean(sent);
          out.write(bytes.toByteArray(), 0, sent ? bytes.size() : 0);
        },
        in -> {
          if (!in.readFlag()) {
            return Optional.empty();
          }
          int before = in.available();
          Object value = entry.reader.read(in);
          if (before - in.available() > mostBytes) {
            throw new IOException("a value of " + (before - in.available()) + " bytes");
          }
          return Optional.of(value);
        });
  }

  /** Lists or sets; no entry of a set appears twice. */
  static Form many(Form entry, Supplier<Collection<Object>> empty) {
    return new Form(
        4,
        (out, value) -> {
          Collection<? extends Object> entries = (Collection<?>) value;
          out.writeInt(entries.size());
          for (Object one : entries) {
            entry.writer.write(out, one);
          }
        },
        in -> {
          // room is made as entries are read, so a length that lies costs nothing
          Collection<Object> entries = empty.get();
          for (int left = in.readCount(entry.leastBytes); left > 0; left--) {
            if (!entries.add(entry.reader.read(in))) {
              throw new IOException("an entry of a set appears twice");
            }
          }
          return entries;
        });
  }

  /** Maps; no key appears twice. */
  static Form map(Form key, Form value, Supplier<Map<Object, Object>> empty) {
    return new Form(
        4,
        (out, map) -> {
          Map<? extends Object, ? extends Object> entries = (Map<?, ?>) map;
          out.writeInt(entries.size());
          for (Map.Entry<? extends Object, ? extends Object> entry : entries.entrySet()) {
            key.writer.write(out, entry.getKey());
            value.writer.write(out, entry.getValue());
          }
        },
        in -> {
          Map<Object, Object> entries = empty.get();
          for (int left = in.readCount(key.leastBytes + value.leastBytes); left > 0; left--) {
            if (entries.put(key.reader.read(in), value.reader.read(in)) != null) {
              throw new IOException("a key of a map appears twice");
            }
          }
          return entries;
        });
  }

  private static void writeInts(DataOutputStream out, Object value) throws IOException {
    out.writeInt(((int[]) value).length);
    for (int number : (int[]) value) {
      out.writeInt(number);
    }
  }

  private static Object readInts(FieldReader in) throws IOException {
    int[] numbers = new int[in.readCount(Integer.BYTES)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = in.readInt();
    }
    return numbers;
  }

  /** Writes all from the position to the limit of a buffer of the heap, which stay. */
  private static void writeBytes(DataOutputStream out, Object value) throws IOException {
    ByteBuffer bytes = (ByteBuffer) value;
    out.writeInt(bytes.remaining());
    out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
  }
}
