package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerClient;
import io.cairn.engine.net.TcpPeerTransport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages that together, or alone, are longer than the coordinator takes in one request. */
@Timeout(60)
class LongRequestsTest {
  private static final GroupId GROUP = new GroupId("job", "pair");

  private final BlockingQueue<MemberMessage> arrived = new LinkedBlockingQueue<>();
  private final BlockingQueue<CoordinatorMessage> inbox = new LinkedBlockingQueue<>();

  /** Until then no request leaves the process. */
  private final CompletableFuture<Void> connected = new CompletableFuture<>();

  private final AtomicInteger longest = new AtomicInteger();

  private PeerTransport serving;
  private TcpPeerClient client;
  private RemoteCoordination remote;
  private Coordination.Link link;

  @BeforeEach
  void serve() throws IOException {
    ExchangeServer server =
        new ExchangeServer(
            (group, size, outbox) -> {
              throw new IllegalStateException("no group joins here");
            },
            this::arrive,
            System::nanoTime);
    PeerSecret secret = PeerSecret.of(Optional.of("a secret of the job"));
    serving = TcpPeerTransport.open("127.0.0.1", 0, secret, server::answer, PeerLimits.DRIVER);
    client = new TcpPeerClient(secret, PeerLimits.DEFAULT);
    remote =
        new RemoteCoordination(
            "p",
            "",
            "",
            request -> {
              longest.accumulateAndGet(request.length, Math::max);
              return connected.thenCompose(now -> client.ask(serving.address(), request));
            });
    link = remote.connect(new Member(GROUP, 0, 2), "incarnation", inbox::add);
  }

  private void arrive(ExchangeRequest request) {
    if (request instanceof ExchangeRequest.Send send) {
      send.messages().forEach(sent -> arrived.add(sent.message()));
    }
  }

  @AfterEach
  void end() {
    remote.close();
    client.close();
    serving.close();
  }

  private static Fingerprint longest() {
    TreeMap<String, String> entries = new TreeMap<>();
    for (int k = 0; k < Fingerprint.MAX_ENTRIES; k++) {
      entries.put("x".repeat(120) + "-" + k, "y".repeat(128));
    }
    return new Fingerprint(entries);
  }

  private static MemberMessage.Held held(long iteration, Fingerprint program) {
    ContainerSummary container =
        new ContainerSummary("c", 1, Digest.of(new byte[1]), List.of(0)).writtenBy(program);
    return new MemberMessage.Held(
        0, 1, iteration, Level.STORE, List.of(container), new Measurement(0, 0, 0, Set.of()));
  }

  private MemberMessage next() throws InterruptedException {
    MemberMessage next = arrived.poll(30, TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  @Test
  void manyLongReportsArriveInTheirOrder() throws InterruptedException {
    Fingerprint program = longest();
    List<MemberMessage> sent = new ArrayList<>();
    for (int iteration = 0; iteration < 600; iteration++) {
      sent.add(held(iteration, program));
    }
    sent.forEach(link::send);

    connected.complete(null);

    for (MemberMessage message : sent) {
      assertThat(next()).isEqualTo(message);
    }
    assertThat(inbox).isEmpty();
    assertThat(longest).hasValueLessThanOrEqualTo(PeerTransport.MAX_MESSAGE_BYTES);
  }

  @Test
  void aMessageTooLongForAnyRequestIsRefusedAndTheNextArrives() throws InterruptedException {
    List<Ancestry.Step> steps = new ArrayList<>();
    for (int epoch = 1; epoch < 1000; epoch++) {
      steps.add(new Ancestry.Step(epoch, epoch));
    }
    Candidate candidate =
        new Candidate(
            new CheckpointId(GROUP, 1000, 1000), Digest.of(new byte[1]), new Ancestry(steps));
    link.send(new MemberMessage.Offer(0, 1, Collections.nCopies(1100, candidate)));
    MemberMessage after = new MemberMessage.Leave(0, 1);
    link.send(after);

    connected.complete(null);

    assertThat(inbox.poll(30, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            CoordinatorMessage.Refused.class,
            refused ->
                assertThat(refused.reason())
                    .contains("exceeds the 4198400 bytes of a request to the coordinator")
                    .contains("fewer checkpoints"));
    assertThat(next()).isEqualTo(after);
  }
}
