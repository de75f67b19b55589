package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A UI that answers as the tab does. */
class TopCommandTest {
  private static final String FIGURES =
      """
      {"atMillis": 1777636800000,
       "ranks": [
        {"group": "fold-1", "rank": 0, "size": 2, "process": "3", "captures": 40,
         "blockedNanos": 80000000, "firstMillis": 1777636700000, "iterationSeconds": 0.25,
         "newest": {"epoch": 1, "iteration": 39, "capturedMillis": 1777636799000},
         "seals": {"DEVICE": {"epoch": 1, "iteration": 39, "capturedMillis": 1777636799000},
                   "STORE": {"epoch": 1, "iteration": 20, "capturedMillis": 1777636789000}}},
        {"group": "fold-1", "rank": 1, "size": 2, "process": "4", "captures": 0,
         "blockedNanos": 0, "firstMillis": 0, "iterationSeconds": "NaN", "newest": null,
         "seals": {}}],
       "processes": [
        {"process": "3", "goodputNanos": {"training": 97, "stall": 3}, "goneMillis": 0},
        {"process": "4", "goodputNanos": {}, "goneMillis": 1777636799000}],
       "restores": [], "restored": 0, "gone": 1,
       "alarms": [{"kind": "freshness", "place": "fold-1 rank 0", "text": "same bytes",
                   "count": 3},
                  {"kind": "failed at STORE", "place": "fold-1 rank 0", "text": "was away",
                   "count": 9, "overMillis": 1777636790000}]}
      """;

  private HttpServer server;
  private String body = page(FIGURES);
  private int status = 200;

  private static String page(String figures) {
    return "<html><script type=\"application/json\" id=\"cairn\">" + figures + "</script></html>";
  }

  @BeforeEach
  void open() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/checkpoints/",
        exchange -> {
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  private CommandRun run(String... options) {
    String[] line = new String[2 + options.length];
    line[0] = "top";
    line[1] = "http://localhost:" + server.getAddress().getPort() + "/";
    System.arraycopy(options, 0, line, 2, options.length);
    return CommandRun.of(line);
  }

  @Test
  void eachRankHasALine() {
    assertThat(run("--once").out().lines())
        .containsExactly(
            "2026-05-01T12:00:00Z  2 executors, 1 gone, 0 restores, ETTR 97.00 %",
            "rank        process  captures  iteration    time  stall  DEVICE  NODE  PEER  STORE  at"
                + " risk",
            "fold-1 0/2  3              40         39  0.25 s   2 ms      39     –     –     20    "
                + " 10 s",
            "fold-1 1/2  4               0          –       –      –       –     –     –      –    "
                + "    –",
            "freshness, fold-1 rank 0: same bytes (3 times)");
  }

  @Test
  void allFiguresArePrintedAsJson() throws IOException {
    assertThat(Json.tree(run("--json").out())).isEqualTo(Json.tree(FIGURES));
  }

  @Test
  void anApplicationWithoutThePluginIsNamed() {
    status = 404;

    CommandRun run = run("--once");

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains("answers 404", "does not use the plugin");
  }

  @Test
  void anotherServerIsNoUi() {
    body = page("{\"ranks\": 3}");
    assertThat(run("--once").err()).contains("JSON of something else");
    body = page("<");
    assertThat(run("--once").err()).contains("no JSON");
    body = "<html>";
    assertThat(run("--once").err()).contains("has no figures");
    body = " ".repeat((16 << 20) + 1);
    assertThat(run("--once").err()).contains("more than 16777216 bytes");
  }

  @Test
  void nobodyAnswers() {
    server.stop(0);

    CommandRun run = run("--once");

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains("no Spark UI answers", "does the application run?");
  }

  @Test
  void anAddressIsRefusedThatIsNone() {
    for (String wrong : new String[] {"localhost:4040", "ftp://host/", "http:///x", "a b"}) {
      assertThat(CommandRun.of("top", wrong, "--once").exit())
          .as(wrong)
          .isEqualTo(ExitCodes.REFUSED);
    }
  }
}
