package io.cairn.engine.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of the network that a process serves in: addresses with a common beginning, or those of an
 * interface. The same text fits all machines of a job. Immutable.
 *
 * @param interfaceName of an interface such as {@code eth1}; empty if addresses are given
 * @param address the first of the addresses; of an interface this machine's loopback
 * @param bits that the addresses have in common with it
 */
public record ServedNetwork(String interfaceName, InetAddress address, int bits) {
  /** A text that asks no name server. */
  private static final Pattern ADDRESSES =
      Pattern.compile(
          "((?:\\d{1,3}\\.){3}\\d{1,3}|[\\p{XDigit}.]*:[\\p{XDigit}:.]*)(?:/(\\d{1,3}))?");

  private static final Pattern INTERFACE = Pattern.compile("[A-Za-z][\\w.@-]{0,63}");

  static final ValueType<ServedNetwork> TYPE =
      new ValueType<>(
          "an address, addresses such as 10.1.0.0/16, or an interface such as eth1",
          ServedNetwork::parse);

  private static Optional<ServedNetwork> parse(String text) {
    Matcher addresses = ADDRESSES.matcher(text);
    try {
      if (!addresses.matches()) {
        return INTERFACE.matcher(text).matches()
            ? Optional.of(new ServedNetwork(text, InetAddress.getLoopbackAddress(), 0))
            : Optional.empty();
      }
      InetAddress first = InetAddress.getByName(addresses.group(1));
      int most = Byte.SIZE * first.getAddress().length;
      int bits = addresses.group(2) == null ? most : Integer.parseInt(addresses.group(2));
      return bits > most ? Optional.empty() : Optional.of(new ServedNetwork("", first, bits));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** Whether an address of an interface belongs to it. */
  public boolean has(String name, InetAddress candidate) {
    return interfaceName.isEmpty() ? hasAddress(candidate) : interfaceName.equals(name);
  }

  private boolean hasAddress(InetAddress candidate) {
    byte[] own = address.getAddress();
    byte[] other = candidate.getAddress();
    if (own.length != other.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    int rest = bits % Byte.SIZE;
    return Arrays.equals(own, 0, whole, other, 0, whole)
        && (rest == 0 || ((own[whole] ^ other[whole]) & 0xff) >> (Byte.SIZE - rest) == 0);
  }

  /** As the setting says it. */
  @Override
  public String toString() {
    return interfaceName.isEmpty() ? address.getHostAddress() + "/" + bits : interfaceName;
  }
}
