package io.cairn.core.codec;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** Reads fields, and knows which one. Not thread-safe; one per message. */
final class FieldReader extends DataInputStream {
  private final byte[] bytes;
  private final Deque<String> path = new ArrayDeque<>();

  FieldReader(byte[] bytes) {
    super(new ByteArrayInputStream(bytes));
    this.bytes = bytes;
  }

  /** Reads the value of a field, or of a record; if that fails, the refusal has the name. */
  Object within(String name, Form form) throws IOException {
    path.addLast(name);
    Object value = form.reader().read(this);
    path.removeLast();
    return value;
  }

  /** The refusal of these bytes, with the place that was reached. */
  IllegalArgumentException refusal(String expected, Exception cause) {
    boolean cut = cause instanceof EOFException;
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "not a %s (%s%soffset %d of %d bytes): %s",
            expected,
            String.join(".", path),
            path.isEmpty() ? "" : ", ",
            offset(),
            bytes.length,
            cut ? "the message ends within a field" : cause.getMessage()),
        cause);
  }

  private int offset() {
    return bytes.length - available();
  }

  /** Bytes that are not read yet. */
  @Override
  public int available() {
    try {
      return super.available();
    } catch (IOException e) {
      throw new AssertionError("bytes in memory cannot fail", e);
    }
  }

  /** A flag: 0 or 1. */
  boolean readFlag() throws IOException {
    int flag = readUnsignedByte();
    if (flag > 1) {
      throw new IOException("a flag of " + flag);
    }
    return flag == 1;
  }

  /**
   * The number of entries that follow.
   *
   * @param leastBytes that one entry takes
   * @throws IOException if the bytes that are left cannot hold so many entries
   */
  int readCount(int leastBytes) throws IOException {
    int entries = readInt();
    if (entries < 0 || entries > available() / Math.max(1, leastBytes)) {
      throw new IOException(
          String.format(Locale.ROOT, "a list of %d entries in %d bytes", entries, available()));
    }
    return entries;
  }

  /** Opaque bytes: a view of the message, which is not copied. */
  ByteBuffer readBytes() throws IOException {
    int length = readCount(1);
    ByteBuffer view = ByteBuffer.wrap(bytes, offset(), length).slice();
    skipNBytes(length);
    return view;
  }
}
