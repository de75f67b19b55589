package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The beginning of the service of a node. */
class NodePeerTest {
  private final List<String> ended = new ArrayList<>();
  private final AtomicInteger withoutDesk = new AtomicInteger();
  private final CairnConfig config = CairnConfig.of(Map.of());

  /** Nobody serves at the desk's address. */
  private NodePeer open(NodeThreads.Repeating repeating) throws Exception {
    AnsweringPeers peers =
        new AnsweringPeers(
            (peer, request) ->
                CompletableFuture.failedFuture(
                    new PeerException(
                        peer, PeerException.Reason.UNREACHABLE, "a question", "rejected")),
            () -> ended.add("transport"));
    return new NodePeer(
        config,
        new NodePeer.Places(
            new MemoryStore("node"),
            new MemoryStore("store"),
            new Partners(PeerSettings.NONE, () -> 0),
            new StagingServers(config.staging(), () -> 0)),
        "process",
        "node",
        new PeerAddress("desk", 1),
        service -> peers,
        withoutDesk::incrementAndGet,
        event -> {},
        new NodeThreads(
            Waits.REAL,
            () -> 0,
            Runnable::run,
            Stage.on(Runnable::run, "keeper", 1),
            Stage.on(Runnable::run, "staging", 1),
            repeating,
            () -> ended.add("threads")));
  }

  @Test
  void anOpeningThatFailsServesNothing() {
    assertThatThrownBy(
            () ->
                open(
                    (task, pause) -> {
                      throw new OutOfMemoryError("no thread in this test");
                    }))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(ended).containsExactly("transport", "threads");
  }

  @Test
  void aProcessThatNobodyAnswersMayHostTheDesk() throws Exception {
    try (NodePeer peer = open((task, pause) -> task.run())) {
      assertThat(withoutDesk).hasValue(1);
      peer.register();
      assertThat(withoutDesk).hasValue(2);
    }
  }
}
