package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.ServedNetwork;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The address at which a process serves, on a machine with several. */
class OwnAddressTest {
  private static ServedNetwork network(String text) {
    return CairnConfig.of(Map.of("network", text)).network().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.0.0.0/8", "0.0.0.0/0 "})
  void anAddressOfThisMachineIsFound(String text) throws Exception {
    assertThat(InetAddress.getByName(OwnAddress.in(network(text.strip())))).isNotNull();
  }

  @Test
  void anInterfaceIsFoundByItsName() throws Exception {
    String name = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress()).getName();

    assertThat(InetAddress.getByName(OwnAddress.in(network(name))).isLoopbackAddress()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "10.1.0.0/16, 10.1.255.1, true",
    "10.1.0.0/16, 10.2.0.1, false",
    "10.1.128.0/17, 10.1.127.1, false",
    "10.1.128.0/17, 10.1.200.1, true",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.4, false",
    "fd00::/8, fd12::1, true",
    "fd00::/8, 10.1.2.3, false"
  })
  void addressesHaveABeginningInCommon(String text, String address, boolean fits) throws Exception {
    assertThat(network(text).has("eth0", InetAddress.getByName(address))).isEqualTo(fits);
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.0.0/33", "10.1.0", "/16", "eth 0", "http://x"})
  void whatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> network(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("network")
        .hasMessageContaining("10.1.0.0/16");
  }

  @Test
  void aNetworkThatTheMachineIsNotInIsNamedWithItsAddresses() {
    assertThatThrownBy(() -> OwnAddress.in(network("203.0.113.0/24")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("203.0.113.0/24")
        .hasMessageContaining("127.0.0.1");
  }

  @Test
  void aProcessServesWhereItReachesTheOthers() throws Exception {
    assertThat(OwnAddress.facing("127.0.0.1")).isEqualTo("127.0.0.1");
  }

  private static List<OwnAddress.Local> eth1(String... addresses) throws IOException {
    List<OwnAddress.Local> found = new ArrayList<>();
    for (String each : addresses) {
      byte[] bytes = InetAddress.getByName(each).getAddress();
      InetAddress address =
          bytes.length == Integer.BYTES
              ? InetAddress.getByAddress(bytes)
              : Inet6Address.getByAddress(null, bytes, 3); // as the system tells it
      found.add(new OwnAddress.Local("eth1", address));
    }
    return found;
  }

  /** Others have no such interface, or another one of that number. */
  @ParameterizedTest
  @CsvSource({
    "eth1, fe80::1, 10.1.2.3, 10.1.2.3",
    "eth1, fd00::1, 10.1.2.3, 10.1.2.3",
    "eth1, fe80::1, fd00::1, fd00:0:0:0:0:0:0:1",
    "fd00::/8, 10.1.2.3, fd00::1, fd00:0:0:0:0:0:0:1",
    "169.254.0.0/16, fe80::1, 169.254.1.1, 169.254.1.1"
  })
  void anAddressIsToldThatOthersCanReach(String text, String one, String other, String told)
      throws Exception {
    assertThat(OwnAddress.in(network(text), eth1(one, other))).isEqualTo(told);
  }

  @ParameterizedTest
  @CsvSource({"10.1.2.3, 10.2.2.3, set an address", "fe80::1, 169.254.1.1, this machine has"})
  void anInterfaceThatDoesNotSayWhichAddressIsRefused(String one, String other, String why) {
    assertThatThrownBy(() -> OwnAddress.in(network("eth1"), eth1(one, other)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("eth1", other, why);
  }
}
