package io.cairn.engine.sharing.desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.NodeSite;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NodeRegisterTest {
  private static final NodeSite ONE = site("1", "a", 1);
  private static final NodeSite NEIGHBOUR = site("2", "a", 2);
  private static final NodeSite OTHER = site("3", "b", 3);

  private final AtomicLong clock = new AtomicLong(5);
  private final NodeRegister register = new NodeRegister(clock::get);

  private static NodeSite site(String process, String node, int port) {
    return new NodeSite(process, node, "host", new PeerAddress("host", port));
  }

  @Test
  void aProcessLearnsOfAllOthersAtItsOwnNodeToo() {
    register.serve(ONE);
    register.serve(NEIGHBOUR);

    assertThat(register.serve(OTHER)).containsExactly(ONE, NEIGHBOUR);
    assertThat(register.serve(ONE)).containsExactly(NEIGHBOUR, OTHER);
  }

  @Test
  void aProcessThatStartsAgainHasItsNewAddress() {
    register.serve(ONE);
    NodeSite again = site("1", "a", 9);
    register.serve(again);

    assertThat(register.serve(OTHER)).containsExactly(again);
  }

  @Test
  void aSilentProcessIsForgotten() {
    register.serve(ONE);
    clock.addAndGet(Duration.ofSeconds(20).toNanos());
    register.serve(NEIGHBOUR);
    clock.addAndGet(Duration.ofSeconds(20).toNanos());

    assertThat(register.serve(OTHER)).containsExactly(NEIGHBOUR);
  }

  @Test
  void aProcessThatEndedIsForgotten() {
    register.serve(ONE);
    register.gone("1");

    assertThat(register.serve(OTHER)).isEmpty();
  }

  @Test
  void theRegisterIsBounded() {
    for (int process = 0; process <= NodeRegister.MOST_SITES; process++) {
      register.serve(site("p" + process, "a", 1));
    }

    assertThat(register.serve(OTHER)).hasSize(NodeRegister.MOST_SITES - 1);
  }
}
