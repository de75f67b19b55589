package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.threads.DaemonThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Relays one connection, records all that its client sends, and may change one byte. */
final class Relay implements AutoCloseable {
  private final ServerSocket at = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final CompletableFuture<byte[]> recorded = new CompletableFuture<>();
  private final int changed;
  private final int bits;
  private final boolean bothWays;

  /**
   * Relays to a server.
   *
   * @param changed which byte of the client is changed; negative for none
   */
  Relay(PeerAddress to, int changed) throws IOException {
    this(to, changed, 1, false);
  }

  /**
   * Likewise.
   *
   * @param bits that are changed in the byte
   * @param bothWays whether the server's byte at this place is changed, too
   */
  Relay(PeerAddress to, int changed, int bits, boolean bothWays) throws IOException {
    this.changed = changed;
    this.bits = bits;
    this.bothWays = bothWays;
    DaemonThreads.unstarted("relay", () -> relay(to)).start();
  }

  PeerAddress address() {
    return new PeerAddress("127.0.0.1", at.getLocalPort());
  }

  /** All that the client sent, after it has closed its connection. */
  byte[] recorded() throws Exception {
    return recorded.get(30, TimeUnit.SECONDS);
  }

  private void relay(PeerAddress to) {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    try (Socket client = at.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), to.port())) {
      Thread back =
          DaemonThreads.unstarted(
              "relay-back",
              () -> {
                try {
                  relay(
                      server.getInputStream(),
                      client.getOutputStream(),
                      bothWays ? changed : -1,
                      new ByteArrayOutputStream());
                  client.shutdownOutput();
                } catch (IOException e) {
                  // the test ends
                }
              });
      back.start();
      relay(client.getInputStream(), server.getOutputStream(), changed, record);
    } catch (IOException e) {
      // the connection is cut off
    }
    recorded.complete(record.toByteArray());
  }

  private void relay(InputStream in, OutputStream out, int at, ByteArrayOutputStream record)
      throws IOException {
    for (int each = in.read(); each >= 0; each = in.read()) {
      out.write(record.size() == at ? each ^ bits : each);
      record.write(each);
    }
  }

  @Override
  public void close() throws IOException {
    at.close();
  }
}
