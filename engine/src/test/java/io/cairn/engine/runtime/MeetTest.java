package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process meets the others at one port, without a desk, and while it closes. */
@Timeout(60)
class MeetTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final SharingTerms TERMS =
      new SharingTerms(PATIENCE, PATIENCE, PATIENCE, SharingTerms.QUARTER_OF_THE_CACHE, PATIENCE);

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(7);
  private final Set<Class<?>> askedAtDesk = ConcurrentHashMap.newKeySet();

  private PeerTransport desk() {
    return network.open(
        new PeerService() {
          @Override
          public CompletionStage<byte[]> answer(byte[] question) {
            PeerRequest request = Wire.decode(question, PeerRequest.class);
            askedAtDesk.add(request.getClass());
            PeerReply reply =
                request instanceof PeerRequest.ServeNode
                    ? new PeerReply.Nodes(List.of())
                    : new PeerReply.Done();
            return CompletableFuture.completedFuture(Wire.encode(reply));
          }
        },
        PATIENCE);
  }

  private static MeetingProcess process(
      PeerAddress desk, PeerTransport.Opening transports, Runnable withoutDesk) {
    return new MeetingProcess("process", "here", 0, desk, transports, withoutDesk);
  }

  @Test
  void aProcessServesItsNodeAndSharesMemoryAtOnePort() throws Exception {
    try (PeerTransport desk = desk();
        CairnEngine cairn = new Places(root).open()) {
      AtomicReference<PeerAddress> served = new AtomicReference<>();
      PeerTransport.Opening onlyOne =
          service -> {
            if (served.get() != null) {
              throw new IOException("no port is free");
            }
            PeerTransport opened = network.open(service, PATIENCE);
            served.set(opened.address());
            return opened;
          };

      assertThat(cairn.meet(process(desk.address(), onlyOne, () -> {}))).isTrue();
      assertThat(cairn.meet(process(desk.address(), onlyOne, () -> {}))).isTrue();

      assertThat(askedAtDesk).contains(PeerRequest.ServeNode.class);
      assertThat(desk.ask(served.get(), Wire.encode(new PeerRequest.Greet())))
          .succeedsWithin(PATIENCE);
      assertThat(
              desk.ask(
                  served.get(), Wire.encode(new PeerRequest.RanksOf(new GroupId("job", "g"), 1))))
          .succeedsWithin(PATIENCE);
    }
  }

  /** The header of a push has no other code than a chunk's. */
  @Test
  void pushesOfChunksReachTheSharingOfTheirProcess() throws Exception {
    try (PeerTransport desk = desk();
        CairnEngine cairn = new Places(root).open()) {
      AtomicReference<PeerAddress> served = new AtomicReference<>();
      assertThat(cairn.meet(process(desk.address(), opening(served), () -> {}))).isTrue();

      CheckpointId id = new CheckpointId(new GroupId("job", "g"), 1, 0);
      byte[] header = Wire.encode(new ChunkSpan(new LeaseId("nobody", 1, id, 0), 0, 0, 1));
      assertThatThrownBy(
              () ->
                  desk.push(served.get(), header, ByteBuffer.allocate(1))
                      .toCompletableFuture()
                      .get())
          .hasMessageContaining("may not be written");
    }
  }

  /** It is written into by others, so nothing may arrive when its memory is given back. */
  @Test
  void aProcessThatHasEndedIsOutOfReach() throws Exception {
    try (PeerTransport desk = desk()) {
      AtomicReference<PeerAddress> served = new AtomicReference<>();
      try (CairnEngine cairn = new Places(root).open()) {
        assertThat(cairn.meet(process(desk.address(), opening(served), () -> {}))).isTrue();
      }
      assertUnreachable(desk, served.get());
    }
  }

  /** A holder may have this name, a node may not. */
  @Test
  void aNodeThatCannotBeServedLeavesTheSharingInReach() throws Exception {
    try (PeerTransport desk = desk();
        CairnEngine cairn = new Places(root).open()) {
      AtomicReference<PeerAddress> served = new AtomicReference<>();
      MeetingProcess unnamed =
          new MeetingProcess(" ", "here", 0, desk.address(), opening(served), () -> {});

      assertThat(cairn.meet(unnamed)).isFalse();

      assertThat(desk.ask(served.get(), Wire.encode(new PeerRequest.Greet())))
          .succeedsWithin(PATIENCE);
      assertThatThrownBy(
              () ->
                  desk.ask(
                          served.get(),
                          Wire.encode(new PeerRequest.RanksOf(new GroupId("job", "g"), 1)))
                      .toCompletableFuture()
                      .get())
          .hasMessageContaining("no service for a RanksOf");
    }
  }

  private PeerTransport.Opening opening(AtomicReference<PeerAddress> served) {
    return service -> {
      PeerTransport opened = network.open(service, PATIENCE);
      served.set(opened.address());
      return opened;
    };
  }

  private static void assertUnreachable(PeerTransport from, PeerAddress address) {
    assertThatThrownBy(
            () ->
                from.ask(address, Wire.encode(new PeerRequest.Greet())).toCompletableFuture().get())
        .hasMessageContaining(address.toString());
  }

  @Test
  void aProcessWithoutAPortCheckpointsAllTheSame() throws Exception {
    try (PeerTransport desk = desk();
        CairnEngine cairn = new Places(root).open()) {
      PeerTransport.Opening none =
          service -> {
            throw new IOException("no port is free");
          };

      assertThat(cairn.meet(process(desk.address(), none, () -> {}))).isFalse();

      assertThat(askedAtDesk).isEmpty();
      assertThat(cairn.join("g", 0, 1)).isNotNull();
    }
  }

  @Test
  void aProcessThatSharesOnlyMemoryNoticesThatNobodyHostsTheDesk() throws Exception {
    try (CairnEngine cairn = new Places(root).open("sharing", "device")) {
      CountDownLatch without = new CountDownLatch(1);
      PeerTransport.Opening transports = service -> network.open(service, PATIENCE);

      assertThat(cairn.meet(process(network.nobody(), transports, without::countDown))).isTrue();

      assertThat(without.await(50, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aSharingThatOpensWhileTheProcessClosesIsClosed() throws Exception {
    CairnEngine cairn = new Places(root).open();
    try (PeerTransport desk = desk()) {
      AtomicReference<PeerAddress> served = new AtomicReference<>();

      cairn.share(
          (cache, memory, threads) -> {
            Sharing sharing =
                new Sharing(
                    TERMS,
                    "process",
                    cache,
                    memory,
                    "here",
                    0,
                    desk.address(),
                    opening(served),
                    threads);
            cairn.close();
            return sharing;
          });

      assertUnreachable(desk, served.get());
    }
  }
}
