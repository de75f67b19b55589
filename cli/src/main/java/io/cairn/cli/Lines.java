package io.cairn.cli;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Splits a stream at its line feeds without holding a line in memory: each line is a stream of its
 * own. So a reader bounds what it keeps, and can skip the rest of a line. Not thread-safe.
 */
public final class Lines implements Closeable {
  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private final InputStream line = new Line();
  private int position;
  private int limit;
  private boolean ended = true;
  private long number;

  /** Splits this stream, and closes it with itself. */
  public Lines(InputStream in) {
    this.in = in;
  }

  /** Skips what is left of the current line; false if there is no other. */
  public boolean next() throws IOException {
    while (!ended) {
      skipInBuffer();
    }
    if (!fill()) {
      return false;
    }
    ended = false;
    number++;
    return true;
  }

  /** The rest of the current line, without its line feed. Closing it does nothing. */
  public InputStream line() {
    return line;
  }

  /**
   * The rest of the current line as text in UTF-8, without its line feed.
   *
   * @throws IOException if it is longer than {@code mostBytes}
   */
  public String text(int mostBytes) throws IOException {
    byte[] bytes = line.readNBytes(mostBytes + 1);
    if (bytes.length > mostBytes) {
      throw new IOException("longer than " + mostBytes + " bytes");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The current line's number; the first is 1. */
  public long number() {
    return number;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private void skipInBuffer() throws IOException {
    ended = !fill();
    int end = lineEnd(limit);
    ended |= end < limit;
    position = Math.min(limit, end + 1);
  }

  private boolean fill() throws IOException {
    while (position == limit && limit >= 0) {
      position = 0;
      limit = in.read(buffer, 0, buffer.length);
    }
    if (limit < 0) {
      position = 0;
      limit = 0;
      return false;
    }
    return true;
  }

  /** The first line feed from the position on, or the given end. */
  private int lineEnd(int end) {
    int at = position;
    while (at < end && buffer[at] != '\n') {
      at++;
    }
    return at;
  }

  private final class Line extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, into.length);
      if (ended || length == 0) {
        return ended ? -1 : 0;
      }
      if (!fill()) {
        ended = true;
        return -1;
      }
      if (buffer[position] == '\n') {
        position++;
        ended = true;
        return -1;
      }
      int end = lineEnd(Math.min(limit, position + length));
      int count = end - position;
      System.arraycopy(buffer, position, into, offset, count);
      position = end;
      return count;
    }
  }
}
