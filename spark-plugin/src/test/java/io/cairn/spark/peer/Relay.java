package io.cairn.spark.peer;

import io.cairn.core.peer.PeerAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between two peers, passes on what they say, and keeps a copy. */
final class Relay implements AutoCloseable {
  private final PeerAddress to;
  private final ServerSocket door = new ServerSocket(0);
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream overheard = new ByteArrayOutputStream();

  Relay(PeerAddress to) throws IOException {
    this.to = to;
    start(this::letIn);
  }

  PeerAddress address() {
    return new PeerAddress("127.0.0.1", door.getLocalPort());
  }

  String overheard() {
    synchronized (overheard) {
      return overheard.toString(StandardCharsets.ISO_8859_1);
    }
  }

  private interface Loop {
    void run() throws IOException;
  }

  /** A loop ends when its socket does, which is how this is closed. */
  private static void start(Loop loop) {
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
              } catch (IOException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void letIn() throws IOException {
    while (!door.isClosed()) {
      Socket near = door.accept();
      Socket far = new Socket(InetAddress.getLoopbackAddress(), to.port());
      sockets.add(near);
      sockets.add(far);
      start(() -> pass(near.getInputStream(), far.getOutputStream()));
      start(() -> pass(far.getInputStream(), near.getOutputStream()));
    }
  }

  private void pass(InputStream in, OutputStream out) throws IOException {
    byte[] bytes = new byte[1 << 16];
    for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
      synchronized (overheard) {
        overheard.write(bytes, 0, n);
      }
      out.write(bytes, 0, n);
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
