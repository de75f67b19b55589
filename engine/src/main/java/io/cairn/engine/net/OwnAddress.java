package io.cairn.engine.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;

/** Finds the address of this machine at which others reach a process. Stateless. */
public final class OwnAddress {
  /** Nothing is sent there. */
  private static final int ANY_PORT = 9;

  private OwnAddress() {}

  /**
   * The address from which this machine reaches a host. Sends nothing, but may ask for the host's
   * address.
   *
   * @throws IOException naming the host, if this machine has no way to it
   */
  public static String facing(String host) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(InetAddress.getByName(host), ANY_PORT);
      InetAddress own = socket.getLocalAddress();
      if (!own.isAnyLocalAddress()) {
        return own.getHostAddress();
      }
    } catch (IOException | UncheckedIOException e) {
      throw new IOException("this machine has no way to " + host + ": " + e, e);
    }
    throw new IOException("this machine has no way to " + host);
  }
}
