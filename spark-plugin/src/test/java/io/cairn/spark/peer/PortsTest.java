package io.cairn.spark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.peer.Landings;
import io.cairn.core.peer.PeerTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers serve within the configured range of ports. */
@Timeout(60)
class PortsTest {
  private static final String HOST = "127.0.0.1";

  private static PeerTransport open(int port, int more) throws IOException {
    return SparkPeerTransport.openWithin(HOST, port, more, new Landings(), PeerSecurity.NONE);
  }

  private static ServerSocket taken() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void aTakenPortIsFollowedByALaterOne() throws IOException {
    try (ServerSocket taken = taken();
        PeerTransport opened = open(taken.getLocalPort(), 100)) {
      assertThat(opened.address().port())
          .isBetween(taken.getLocalPort() + 1, taken.getLocalPort() + 100);
    }
  }

  @Test
  void aRangeWithoutFreePortIsRefusedByName() throws IOException {
    try (ServerSocket taken = taken()) {
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> open(port, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(HOST + ":" + port);
    }
  }

  @Test
  void noConfiguredPortMeansAnyFreeOne() throws IOException {
    try (PeerTransport one = open(0, 16);
        PeerTransport other = open(0, 16)) {
      assertThat(one.address().port()).isPositive().isNotEqualTo(other.address().port());
    }
  }
}
