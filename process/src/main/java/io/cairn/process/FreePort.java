package io.cairn.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds ports at which child processes may listen. Stateless. */
public final class FreePort {
  private FreePort() {}

  /**
   * A port of the loopback interface at which nobody listens now.
   *
   * @throws IOException if there is none
   */
  public static int find() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
