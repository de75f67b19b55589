package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.time.Duration;

/** A peer that knows the secret, and decides itself how much it sends and when it reads. */
final class RawPeer implements AutoCloseable {
  private final Socket socket;
  private final RecordReader records;
  private final FrameReader reader;
  private final FrameWriter writer;

  RawPeer(PeerAddress to, FrameReader.Frames frames) throws IOException {
    this(to, TcpPeerProcess.secret(), false, frames);
  }

  RawPeer(PeerAddress to, PeerSecret secret, boolean pushes, FrameReader.Frames frames)
      throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), to.port());
    Session session =
        Greeting.exchange(socket, secret, secret.share(), pushes, Duration.ofSeconds(30));
    socket.setSoTimeout(20_000);
    LoopMemory memory = new LoopMemory();
    this.records = new RecordReader(memory, session.toClient());
    this.reader = new FrameReader(frames);
    this.writer = new FrameWriter(memory, session.toServer());
  }

  /** Sends questions of one byte each, at once. */
  void ask(int count) throws IOException {
    for (int number = 1; number <= count; number++) {
      writer.add(Frame.Kind.QUESTION, number, ByteBuffer.allocate(0), ByteBuffer.allocate(1));
    }
    WritableByteChannel out = Channels.newChannel(socket.getOutputStream());
    while (writer.queuedBytes() > 0) {
      boolean unused = writer.write(out);
    }
  }

  /** Sends a question but for its last bytes. */
  void announce(int bytes) throws IOException {
    writer.add(Frame.Kind.QUESTION, 1, ByteBuffer.allocate(0), ByteBuffer.allocate(bytes));
    boolean unused = writer.write(Channels.newChannel(socket.getOutputStream()));
  }

  /** Sends any bytes as they are, in a record or not. */
  void raw(ByteBuffer bytes) throws IOException {
    WritableByteChannel out = Channels.newChannel(socket.getOutputStream());
    while (bytes.hasRemaining()) {
      int unused = out.write(bytes);
    }
  }

  /** Reads some bytes; false at the end of the connection. */
  boolean read() throws IOException {
    byte[] some = new byte[256 << 10];
    int count = socket.getInputStream().read(some);
    ByteBuffer bytes = ByteBuffer.wrap(some, 0, Math.max(0, count));
    while (records.open(bytes)) {
      reader.take(records.opened());
    }
    return count >= 0;
  }

  /** Waits for the end, with bytes unread or not. */
  void awaitEnd() throws IOException {
    try {
      int unused = socket.getInputStream().readAllBytes().length;
    } catch (SocketException e) {
      // it was cut off with bytes unread
    }
  }

  /** Whether the end has come; nothing else is on its way. */
  boolean hasEnded() throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true; // it was cut off with bytes unread
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
