package io.cairn.spark.driver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
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
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.Services;
import io.cairn.engine.net.TcpPeerClient;
import io.cairn.engine.sharing.desk.SharingDesk;
import io.cairn.spark.ranks.StandbyDesk;
import io.cairn.spark.ui.Report;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;

class DriverPortTest {
  /** An address that no machine has. */
  private static final String ELSEWHERE = "192.0.2.1";

  private static final PeerSecret SECRET = PeerSecret.derived("secret", false, "of a test");

  private final List<Report> reports = new ArrayList<>();
  private final List<PeerRequest> asked = new ArrayList<>();
  private final ExchangeServer exchange =
      new ExchangeServer(
          (group, size, outbox) -> {
            throw new IllegalStateException("no group is coordinated");
          },
          request -> {},
          System::nanoTime);
  private final StandbyDesk standbys = new StandbyDesk(0);
  private final Services service =
      DriverPort.services(
          exchange,
          standbys,
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

  private static SharingDesk desk() {
    return new SharingDesk(CairnConfig.defaults().sharing(), System::nanoTime);
  }

  private DriverPort open(SharingDesk desk, SparkConf conf) throws IOException {
    return DriverPort.open(0, SECRET, exchange, standbys, desk, reports::add, conf);
  }

  /** As in a container, or behind a router: no address of this machine is the one of the driver. */
  @Test
  void bindsTheAddressThatSparkBinds() throws Exception {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.driver.host", ELSEWHERE)
            .set("spark.driver.bindAddress", "127.0.0.1");
    try (SharingDesk desk = desk();
        DriverPort port = open(desk, conf);
        TcpPeerClient client = new TcpPeerClient(SECRET, PeerLimits.DEFAULT)) {
      assertThat(port.address().host()).isEqualTo(ELSEWHERE);
      PeerAddress here = new PeerAddress("127.0.0.1", port.address().port());
      byte[] question = Wire.encode(new ExchangeRequest.Register("e", 1, "n", ""));
      assertThat(
              Wire.decode(
                  client.ask(here, question).toCompletableFuture().get(1, MINUTES),
                  ExchangeReply.class))
          .isEqualTo(new ExchangeReply.Registered());
    }
  }

  @Test
  void withoutAnAddressToBindTheHostIsBound() throws Exception {
    SparkConf conf = new SparkConf(false).set("spark.driver.host", "127.0.0.1");
    try (SharingDesk desk = desk();
        DriverPort port = open(desk, conf)) {
      assertThat(port.address().host()).isEqualTo("127.0.0.1");
    }
  }
}
