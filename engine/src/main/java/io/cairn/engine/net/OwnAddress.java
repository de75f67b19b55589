package io.cairn.engine.net;

import io.cairn.engine.config.ServedNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Finds the address of this machine at which others reach a process. Stateless. */
public final class OwnAddress {
  /** Nothing is sent there. */
  private static final int ANY_PORT = 9;

  private OwnAddress() {}

  /**
   * The first address of this machine that is in a network.
   *
   * @throws IOException naming the network and the addresses of this machine, if none is
   */
  public static String in(ServedNetwork network) throws IOException {
    List<String> found = new ArrayList<>();
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(each.getInetAddresses())) {
        if (each.isUp() && network.has(each.getName(), address)) {
          return address.getHostAddress();
        }
        found.add(each.getName() + " " + address.getHostAddress());
      }
    }
    throw new IOException(
        "setting network = %s, and this machine has %s".formatted(network, found));
  }

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
