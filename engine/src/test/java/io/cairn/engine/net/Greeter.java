package io.cairn.engine.net;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.threads.DaemonThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Another program, which greets each connection and then reads it to its end. */
final class Greeter implements AutoCloseable {
  private final ServerSocket at = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  private final byte[] greeting;

  Greeter(String greeting) throws IOException {
    this.greeting = greeting.getBytes(StandardCharsets.UTF_8);
    DaemonThreads.unstarted("greeter", this::greet).start();
  }

  PeerAddress address() {
    return new PeerAddress("127.0.0.1", at.getLocalPort());
  }

  private void greet() {
    try {
      while (true) {
        try (Socket asked = at.accept()) {
          asked.getOutputStream().write(greeting);
          asked.shutdownOutput();
          int unused = asked.getInputStream().readAllBytes().length;
        }
      }
    } catch (IOException e) {
      // the test ended
    }
  }

  @Override
  public void close() throws IOException {
    at.close();
  }
}
