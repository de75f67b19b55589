package io.cairn.engine.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.peer.PeerService;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.RemoteCoordination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One address, at which each service answers its own family of questions. */
@Timeout(60)
class ServicesTest {
  private static final byte VERSION = Wire.encode(new PeerRequest.Greet())[0];

  private final Services service =
      new Services()
          .with(
              ExchangeRequest.class,
              new ExchangeServer(
                      (group, size, outbox) -> {
                        throw new IllegalStateException("no group joins here");
                      },
                      request -> {},
                      System::nanoTime)
                  ::answer);

  private static byte[] ofTheNextVersion(byte[] message) {
    byte[] next = message.clone();
    next[0]++;
    return next;
  }

  @Test
  void aJoinAtAHostOfAnotherVersionIsRefusedAtOnce() throws Exception {
    BlockingQueue<CoordinatorMessage> inbox = new LinkedBlockingQueue<>();
    try (RemoteCoordination coordination =
        new RemoteCoordination(
            "p",
            "",
            "",
            question ->
                service
                    .answer(ofTheNextVersion(question))
                    .thenApply(ServicesTest::ofTheNextVersion))) {
      coordination
          .connect(new Member(new GroupId("job", "g"), 0, 2), "incarnation", inbox::add)
          .send(new MemberMessage.Join(0, 2, "incarnation", new Origin("birth", 0)));

      assertThat(inbox.poll(30, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              CoordinatorMessage.Refused.class,
              refused ->
                  assertThat(refused.reason())
                      .contains("version " + (VERSION + 1), "this is " + VERSION, "the same"));
    }
  }

  private static byte[] said(PeerService services, Message question) {
    return services.answer(Wire.encode(question)).toCompletableFuture().join();
  }

  @Test
  void aQuestionReachesTheServiceOfItsFamilyAlone() {
    List<String> asked = new ArrayList<>();
    service
        .with(PeerRequest.ToHolder.class, heard(asked, "holder"))
        .with(PeerRequest.ToNode.class, heard(asked, "node"));

    assertThat(said(service, new PeerRequest.Greet())).containsExactly(1);
    assertThat(said(service, new PeerRequest.RanksOf(new GroupId("job", "g"), 1)))
        .containsExactly(1);
    assertThat(said(service, new ExchangeRequest.Register("e", 1, "n", ""))).hasSizeGreaterThan(1);

    assertThat(asked).containsExactly("holder", "node");
  }

  private static PeerService heard(List<String> asked, String name) {
    return question -> {
      asked.add(name);
      return CompletableFuture.completedFuture(new byte[] {1});
    };
  }

  /** A push's header is a message as well. */
  @Test
  void aPushReachesTheServiceOfItsHeader() throws Exception {
    service.with(PeerRequest.ToNode.class, heard(new ArrayList<>(), "node"));
    byte[] header = Wire.encode(new PeerRequest.Greet());

    assertThatThrownBy(() -> service.receive(header, 1))
        .hasMessage("this process has no service for a Greet");

    service.with(PeerRequest.ToHolder.class, heard(new ArrayList<>(), "holder"));
    assertThatThrownBy(() -> service.receive(header, 1))
        .isInstanceOf(IOException.class)
        .hasMessage("this service takes no chunks");
  }

  @Test
  void aQuestionWithoutAServiceIsRefusedByItsName() {
    assertThatThrownBy(() -> said(service, new PeerRequest.Greet()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("this process has no service for a Greet");
  }
}
