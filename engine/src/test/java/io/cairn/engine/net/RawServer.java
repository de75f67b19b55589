package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server of one plain connection that knows the secret, reads frames, and replies when it is
 * told.
 */
final class RawServer implements AutoCloseable {
  private final ServerSocket at = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final BlockingQueue<Frame> arrived = new LinkedBlockingQueue<>();
  private final LoopMemory written = new LoopMemory();
  private volatile @Nullable Socket client;
  private volatile @Nullable Session session;
  private @Nullable FrameWriter writer;

  RawServer() throws IOException {
    DaemonThreads.unstarted("raw-server", this::serve).start();
  }

  PeerAddress address() {
    return new PeerAddress("127.0.0.1", at.getLocalPort());
  }

  /** The next frame that came whole; null if none comes for so long. */
  @Nullable Frame next(long millis) throws InterruptedException {
    return arrived.poll(millis, TimeUnit.MILLISECONDS);
  }

  /** Sends a frame without a header. A frame must have come before. */
  void reply(Frame.Kind kind, long number, byte[] body) throws IOException {
    Socket to = client;
    Session agreed = session;
    if (to == null || agreed == null) {
      throw new IllegalStateException("nobody has connected");
    }
    FrameWriter known = writer == null ? new FrameWriter(written, agreed.toClient()) : writer;
    writer = known;
    known.add(kind, number, ByteBuffer.allocate(0), ByteBuffer.wrap(body));
    WritableByteChannel out = Channels.newChannel(to.getOutputStream());
    while (known.queuedBytes() > 0) {
      boolean unused = known.write(out);
    }
  }

  private void serve() {
    try (Socket accepted = at.accept()) {
      client = accepted;
      Session agreed = greet(accepted, TcpPeerProcess.plain());
      session = agreed;
      RecordReader records = new RecordReader(new LoopMemory(), agreed.toServer());
      FrameReader reader =
          new FrameReader(
              (frame, header) -> new Gathered(frame.bodyBytes(), body -> arrived.add(frame)));
      byte[] some = new byte[64 << 10];
      for (int count = 0; count >= 0; count = accepted.getInputStream().read(some)) {
        ByteBuffer bytes = ByteBuffer.wrap(some, 0, count);
        while (records.open(bytes)) {
          reader.take(records.opened());
        }
      }
    } catch (IOException e) {
      // the test has ended
    }
  }

  /** The server's part of a greeting. */
  static Session greet(Socket client, PeerSecret secret) throws IOException {
    byte[] hello = client.getInputStream().readNBytes(Hello.BYTES);
    @Nullable KeyShare share = secret.share();
    byte[] ours = Hello.begin(Hello.Role.S, share);
    byte[] said = Hello.said(hello, ours);
    client.getOutputStream().write(Hello.join(ours, secret.proof(Hello.SERVER, said)));
    int unused = client.getInputStream().readNBytes(PeerSecret.PROOF_BYTES).length;
    return Session.of(secret, said, share, Hello.share(hello));
  }

  @Override
  public void close() throws IOException {
    at.close();
    Socket open = client;
    if (open != null) {
      open.close();
    }
  }
}
