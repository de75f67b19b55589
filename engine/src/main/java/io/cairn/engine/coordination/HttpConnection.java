package io.cairn.engine.coordination;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a {@link HttpExchangeServer}: reads a head, then the body of a request that was
 * proven, and writes the answer. It never waits, and never holds more than a head of a sender that
 * has proven nothing. The server's thread alone uses it.
 */
final class HttpConnection {
  private static final int MOST_HEAD = 4096;

  private final SocketChannel channel;
  private final SelectionKey key;
  private final byte[] head = new byte[MOST_HEAD];
  private int headBytes;
  private @Nullable ByteBuffer body;
  private Runnable whenRead = () -> {};
  private @Nullable ByteBuffer answer;
  private boolean ending;
  private boolean proven;
  private long deadlineNanos;

  HttpConnection(SocketChannel channel, SelectionKey key) {
    this.channel = channel;
    this.key = key;
  }

  /** Whether it carried a request of a sender that knows the secret. */
  boolean isProven() {
    return proven;
  }

  /** Whether the time that its next step may take is over. */
  boolean isLate(long nowNanos) {
    return nowNanos - deadlineNanos >= 0;
  }

  /** The next step ends by then. */
  void until(long nanos) {
    deadlineNanos = nanos;
  }

  /** Whether a request has begun that is not read to its end. */
  boolean isReading() {
    return headBytes > 0 || body != null;
  }

  /**
   * Reads on.
   *
   * @return the head, when it is complete; then nothing is read before the next step is known
   * @throws IOException if the sender is gone, or sends no head
   */
  Optional<HttpHead> readHead() throws IOException {
    if (ending) {
      discard();
      return Optional.empty();
    }
    int count = channel.read(ByteBuffer.wrap(head, headBytes, head.length - headBytes));
    if (count < 0) {
      throw new EOFException("the sender has gone");
    }
    headBytes += count;
    return head();
  }

  /** The head, if all of it has come; of a later request it may have come with the one before. */
  Optional<HttpHead> head() throws IOException {
    Optional<Integer> length = HttpHead.length(head, headBytes);
    if (length.isEmpty()) {
      if (headBytes == head.length) {
        throw new IOException("a head of more than " + head.length + " bytes");
      }
      return Optional.empty();
    }
    HttpHead parsed = HttpHead.parse(head, length.get());
    headBytes -= length.get();
    System.arraycopy(head, length.get(), head, 0, headBytes);
    key.interestOps(0);
    return Optional.of(parsed);
  }

  /** The request is proven: its body is read, and handed on when it is complete. */
  void expect(int bytes, Consumer<byte[]> to) throws IOException {
    proven = true;
    byte[] whole = new byte[bytes];
    ByteBuffer expected = ByteBuffer.wrap(whole);
    int early = Math.min(bytes, headBytes);
    expected.put(head, 0, early);
    headBytes -= early;
    System.arraycopy(head, early, head, 0, headBytes);
    body = expected;
    whenRead = () -> to.accept(whole);
    key.interestOps(SelectionKey.OP_READ);
    if (!expected.hasRemaining()) {
      readBody();
    }
  }

  /** Whether a body is expected. */
  boolean expectsBody() {
    return body != null;
  }

  /** Reads on; nothing is read after the end of the body, before its request is answered. */
  void readBody() throws IOException {
    ByteBuffer expected = body;
    if (expected == null || (expected.hasRemaining() && channel.read(expected) < 0)) {
      throw new EOFException("the sender has gone");
    } else if (!expected.hasRemaining()) {
      body = null;
      key.interestOps(0);
      whenRead.run();
    }
  }

  /**
   * Begins to write an answer.
   *
   * @param last whether the connection ends after it
   */
  void answer(int status, Map<String, String> headers, byte[] bytes, boolean last) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.put("Content-Length", String.valueOf(bytes.length));
    all.put("Content-Type", "application/octet-stream");
    all.put("Connection", last ? "close" : "keep-alive");
    StringBuilder text = new StringBuilder("HTTP/1.1 " + status + " Cairn\r\n");
    all.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    byte[] start = text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    answer = ByteBuffer.allocate(start.length + bytes.length).put(start).put(bytes).flip();
    ending = last;
    key.interestOps(SelectionKey.OP_WRITE);
  }

  /** Writes on; returns whether all is written. */
  boolean write() throws IOException {
    ByteBuffer rest = answer;
    if (rest != null) {
      int unused = channel.write(rest);
      if (rest.hasRemaining()) {
        return false;
      }
    }
    answer = null;
    key.interestOps(SelectionKey.OP_READ);
    if (ending) {
      // a close at once would take the answer back from a sender that still sends
      var unused = channel.shutdownOutput();
    }
    return true;
  }

  private void discard() throws IOException {
    if (channel.read(ByteBuffer.wrap(head)) < 0) {
      throw new EOFException("the sender has read the refusal");
    }
  }

  void close() {
    key.cancel();
    try {
      channel.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }
}
