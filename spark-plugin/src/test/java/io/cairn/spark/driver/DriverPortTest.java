package io.cairn.spark.driver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PageReport;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.StandbyReply;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.net.Services;
import io.cairn.spark.ranks.StandbyDesk;
import io.cairn.spark.ui.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DriverPortTest {
  private final List<Report> reports = new ArrayList<>();
  private final List<PeerRequest> asked = new ArrayList<>();
  private final Services service =
      DriverPort.services(
          new ExchangeServer(
              (group, size, outbox) -> {
                throw new IllegalStateException("no group is coordinated");
              },
              request -> {},
              System::nanoTime),
          new StandbyDesk(0),
          question -> {
            asked.add(Wire.decode(question, PeerRequest.class));
            return CompletableFuture.completedFuture(Wire.encode(new PeerReply.Done()));
          },
          reports::add);

  private byte[] answer(Message question) {
    return service.answer(Wire.encode(question)).toCompletableFuture().join();
  }

  @Test
  void eachQuestionReachesTheServiceThatItIsFor() {
    assertThat(
            Wire.decode(answer(new ExchangeRequest.Register("e", 1, "n", "")), ExchangeReply.class))
        .isEqualTo(new ExchangeReply.Registered());
    assertThat(
            Wire.decode(
                answer(new StandbyRequest.Ask("e", "m", "run", 0, 1, true)), StandbyReply.class))
        .isEqualTo(new StandbyReply.End());
    assertThat(answer(new PageReport(UTF_8.encode("{\"round\":{\"process\":\"1\"}}")))).isEmpty();
    assertThat(reports).hasSize(1);
  }

  @Test
  void theDeskTakesItsQuestions() {
    PeerRequest question =
        new PeerRequest.ServeNode(new NodeSite("e", "n", "h", new PeerAddress("h", 1)));

    assertThat(Wire.decode(answer(question), PeerReply.class)).isEqualTo(new PeerReply.Done());
    assertThat(asked).containsExactly(question);
  }

  /** Bytes of any kind may come. */
  @Test
  void otherQuestionsAreRefused() {
    assertThatThrownBy(() -> answer(new PeerReply.Done()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("this process has no service for a Done");
    for (byte[] bytes :
        List.of(new byte[0], new byte[] {Wire.encode(new PeerRequest.Greet())[0]})) {
      assertThatThrownBy(() -> service.answer(bytes))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("not a Message");
    }
    assertThat(reports).isEmpty();
  }
}
