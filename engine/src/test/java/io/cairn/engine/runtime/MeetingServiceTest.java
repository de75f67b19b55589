package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.RemoteCoordination;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The answers of a host to the processes that meet there. */
@Timeout(60)
class MeetingServiceTest {
  private static final byte VERSION = Wire.encode(new PeerRequest.Greet())[0];

  private final MeetingService service =
      new MeetingService(
          new ExchangeServer(
              (group, size, outbox) -> {
                throw new IllegalStateException("no group joins here");
              },
              request -> {},
              System::nanoTime),
          request -> {
            throw new IllegalArgumentException("nobody asks the desk");
          });

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
                    .thenApply(MeetingServiceTest::ofTheNextVersion))) {
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
}
