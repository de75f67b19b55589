package io.cairn.adjoint.history;

import io.cairn.core.model.OpenParts;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection between two processes of one machine. The kernel ends it when either process dies,
 * after no thread of that process runs any more. One thread receives; any thread sends and closes.
 *
 * <pre>
 * offset  bytes  field (big-endian)
 *      0      4  n: length of the message, 1 to 32 MiB
 *      4      n  message
 * </pre>
 */
final class MachineChannel implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(MachineChannel.class);
  private static final int MOST_BYTES = 32 << 20;

  private final SocketChannel socket;

  MachineChannel(SocketChannel socket) {
    this.socket = socket;
  }

  /**
   * Connects to the process that serves at a path.
   *
   * @throws IOException if none does
   */
  static MachineChannel connect(Path path) throws IOException {
    try (OpenParts open = new OpenParts()) {
      SocketChannel socket = open.add(SocketChannel.open(StandardProtocolFamily.UNIX));
      socket.connect(UnixDomainSocketAddress.of(path));
      return open.keep(new MachineChannel(socket));
    }
  }

  /**
   * Sends a message; waits while the other process takes no bytes. An interruption of the thread
   * ends the connection.
   */
  synchronized void send(byte[] message) throws IOException {
    ByteBuffer frame =
        ByteBuffer.allocate(4 + message.length).putInt(message.length).put(message).flip();
    while (frame.hasRemaining()) {
      socket.write(frame);
    }
  }

  /**
   * Waits for the next message.
   *
   * @return null at the end of the connection
   * @throws IOException if the connection is damaged, or was closed by this process
   */
  byte @Nullable [] receive() throws IOException {
    ByteBuffer length = ByteBuffer.allocate(4);
    if (!fill(length)) {
      return null;
    }
    int bytes = length.getInt(0);
    if (bytes < 1 || bytes > MOST_BYTES) {
      throw new IOException(
          String.format(
              Locale.ROOT, "a message of %d bytes; allowed are 1 to %d", bytes, MOST_BYTES));
    }
    ByteBuffer message = ByteBuffer.allocate(bytes);
    if (!fill(message)) {
      throw new EOFException("the connection ended in a message");
    }
    return message.array();
  }

  /**
   * Waits for the end of the connection, whatever comes before.
   *
   * @return whether the other process ended it; false if this one closed it first
   */
  boolean awaitEnd() {
    ByteBuffer ignored = ByteBuffer.allocate(4096);
    try {
      while (read(ignored.clear()) >= 0) {
        LOG.debug("{} bytes that nobody expects", ignored.position());
      }
      return true;
    } catch (IOException e) {
      LOG.debug("the end of a connection was not seen", e);
      return false;
    }
  }

  /** Whether all bytes came; false if the connection ended before the first one. */
  private boolean fill(ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (read(into) < 0) {
        if (into.position() > 0) {
          throw new EOFException("the connection ended in a message");
        }
        return false;
      }
    }
    return true;
  }

  private int read(ByteBuffer into) throws IOException {
    try {
      return socket.read(into);
    } catch (SocketException e) { // the other process did not read all that was sent
      LOG.debug("the other process ended the connection", e);
      return -1;
    }
  }

  /**
   * Waits for a message.
   *
   * @throws IOException if it does not come in time, which ends the connection
   */
  byte[] receive(Duration patience) throws IOException {
    CompletableFuture<Boolean> came = new CompletableFuture<>();
    var unused =
        came.completeOnTimeout(false, patience.toNanos(), TimeUnit.NANOSECONDS)
            .thenAccept(inTime -> closeUnless(inTime));
    try {
      byte[] message = receive();
      if (message == null) {
        throw new EOFException("the connection ended before an answer");
      }
      if (!came.complete(true)) {
        throw new IOException("the answer came too late");
      }
      return message;
    } finally {
      came.complete(true);
    }
  }

  private void closeUnless(boolean inTime) {
    if (!inTime) {
      LOG.debug("a process does not answer in time");
      close();
    }
  }

  /** Ends the connection. Idempotent. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("a connection did not close in order", e);
    }
  }
}
