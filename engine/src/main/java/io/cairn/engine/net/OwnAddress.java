package io.cairn.engine.net;

import io.cairn.engine.config.ServedNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
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

  /** An address of this machine. */
  record Local(String interfaceName, InetAddress address) {
    /** Without the scope, which names an interface of this machine alone. */
    String text() {
      return address.getHostAddress().replaceFirst("%.*", "");
    }

    /** Whether others may reach it: a link-local address of IPv6 means something else to each. */
    private boolean isReachable(ServedNetwork network) {
      boolean asked = isIpv4() && network.interfaceName().isEmpty();
      return !address.isLinkLocalAddress() || asked;
    }

    private boolean isIpv4() {
      return address instanceof Inet4Address;
    }

    @Override
    public String toString() {
      return interfaceName + " " + text();
    }
  }

  /**
   * The first address of this machine that is in a network. Of an interface it is the only one of
   * IPv4, or else of IPv6. No link-local one is, unless the network is given by addresses of IPv4.
   *
   * @throws IOException naming the network and the addresses of this machine, if none is, or the
   *     interface has several
   */
  public static String in(ServedNetwork network) throws IOException {
    List<Local> found = new ArrayList<>();
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      if (each.isUp()) {
        each.inetAddresses().map(address -> new Local(each.getName(), address)).forEach(found::add);
      }
    }
    return in(network, found);
  }

  /** Likewise, of these addresses. */
  static String in(ServedNetwork network, List<Local> found) throws IOException {
    boolean named = !network.interfaceName().isEmpty();
    List<Local> fitting =
        found.stream()
            .filter(each -> network.has(each.interfaceName(), each.address()))
            .filter(each -> each.isReachable(network))
            .toList();
    List<Local> ofIpv4 = fitting.stream().filter(Local::isIpv4).toList();
    List<Local> chosen = named && !ofIpv4.isEmpty() ? ofIpv4 : fitting;
    if (chosen.isEmpty()) {
      throw new IOException(
          "setting network = %s, and this machine has %s".formatted(network, found));
    } else if (named && chosen.size() > 1) {
      throw new IOException(
          "setting network = %s fits %s: set an address, or addresses such as 10.1.0.0/16"
              .formatted(network, chosen));
    }
    return chosen.get(0).text();
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
        return new Local("", own).text();
      }
    } catch (IOException | UncheckedIOException e) {
      throw new IOException("this machine has no way to " + host + ": " + e, e);
    }
    throw new IOException("this machine has no way to " + host);
  }
}
