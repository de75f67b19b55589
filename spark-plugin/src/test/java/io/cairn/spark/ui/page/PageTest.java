package io.cairn.spark.ui.page;

import static io.cairn.spark.ui.model.MadeUpRounds.BEGIN;
import static io.cairn.spark.ui.model.MadeUpRounds.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.spark.ui.model.AlarmRow;
import io.cairn.spark.ui.model.Board;
import io.cairn.spark.ui.model.CacheRow;
import io.cairn.spark.ui.model.MadeUpRounds;
import io.cairn.spark.ui.model.PatternRow;
import io.cairn.spark.ui.model.PlanRow;
import io.cairn.spark.ui.model.RankRow;
import io.cairn.spark.ui.model.RestoreRow;
import io.cairn.spark.ui.model.Round;
import io.cairn.spark.ui.model.RunningRow;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PageTest {
  /** The page as a tree: every element is ended, and every text is escaped. */
  private static Document tree(String page) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader("<page>" + page + "</page>")));
  }

  @Test
  void attributesHaveNoQuotesOfUsers() {
    String html = new Html().open("p", "title", "a\" onclick=\"b").close().toString();

    assertThat(html).isEqualTo("<p title=\"a&quot; onclick=&quot;b\"></p>");
  }

  @Test
  void anEmptyBoardSaysWhatWillAppear() throws Exception {
    String page = Page.of(new Board().view(), false);

    tree(page);
    assertThat(page)
        .contains(
            "No rank has joined yet",
            "Each rank will have a lane here",
            "The work that a failure of each level would lose",
            "The ranks' time will be attributed".replace("'", "&#39;"),
            "The period of each level",
            "The slots of each executor&#39;s device cache",
            "the plan for its remainder will appear here",
            "Each restore will be listed here",
            "Each checkpoint will be listed here");
  }

  @Test
  void everySectionShowsItsFigures() throws Exception {
    String page = Page.of(MadeUpRounds.board(4, 60).view(), false);

    tree(page);
    assertThat(page)
        .contains("fold-3 · 0", "executor 1 gone", "lost for a test")
        .contains("freshness", "the same bytes")
        .contains("training 20.0 s, 18.2 %")
        .contains("DEVICE: every iteration", "NODE: every 5 (bound by the permitted age")
        .contains("quarantined: 1", "21 of 4.0 MiB")
        .contains("8.0 MiB in 4 ms", "machine machine-1", "host memory of the sender", "34 ms")
        .contains("e1-i25 at NODE: used")
        .contains("STORE failed: disk full");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)",
        "</style></svg><script>",
        "&lt;script&gt;",
        "\u0000\u0008]]>"
      })
  void textOfUsersIsNoMarkup(String hostile) throws Exception {
    Board board = new Board();
    board.started(hostile, hostile);
    board.gone(hostile, BEGIN + 500, hostile);
    board.add(hostile(hostile));

    String page = Page.of(board.view(), true);

    Document tree = tree(page);
    assertThat(tree.getElementsByTagName("script").getLength()).isZero();
    assertThat(tree.getElementsByTagName("img").getLength()).isZero();
    NodeList all = tree.getElementsByTagName("*");
    for (int i = 0; i < all.getLength(); i++) {
      assertThat(all.item(i).getAttributes().getNamedItem("onmouseover")).isNull();
    }
    assertThat(tree.getElementsByTagName("tr").getLength()).isGreaterThan(8);
  }

  private static Round hostile(String text) {
    return new Round(
        text,
        BEGIN,
        List.of(new RankRow(text, 0, 1, 1, 1, Map.of(text, 1L, "NODE.sealed", 1L))),
        List.of(
            row(text, 0, 1, 0, Map.of(text, text, "NODE", text)),
            row(text, 0, 2, 1, Map.of("NODE", "sealed"))),
        List.of(
            new RestoreRow(
                BEGIN, text, text, 0, 1, 1, text, text, 1, List.of(text), 0, Double.NaN, "")),
        List.of(new AlarmRow(text, text, 1, BEGIN, BEGIN, text, 0)),
        new CacheRow(1, 1, 1, 1, 1),
        Map.of(text, 1L, "training", 1L),
        List.of(
            new PatternRow(text, 0, Map.of(text, 1L), Map.of(text, text), Map.of(text, 1.0), 1, 1)),
        List.of(
            new PlanRow(
                BEGIN,
                text,
                List.of(
                    new PlanRow.SiteRow(text, text, 0, 1, 0),
                    new PlanRow.SiteRow(text, text + "2", 0, 0, 1)),
                List.of(new PlanRow.TransferRow(0, 1, 1, 1)),
                1)),
        List.of(),
        null);
  }

  @Test
  void thePageLoadsNothingFromElsewhereAndNeedsNoScript() throws Exception {
    String page = Page.of(MadeUpRounds.board(3, 300).view(), false);

    Document tree = tree(page);
    for (String tag : List.of("script", "link", "img", "iframe", "image", "use")) {
      assertThat(tree.getElementsByTagName(tag).getLength()).as(tag).isZero();
    }
    assertThat(page).doesNotContain("http:", "https:", "url(", "@import");
    assertThat(tree.getElementsByTagName("a").item(0).getAttributes().getNamedItem("href"))
        .extracting(Object::toString)
        .isEqualTo("href=\"?all=true#checkpoints\"");
  }

  @Test
  void theTableListsTheNewestCheckpointsOrAll() {
    Board board = MadeUpRounds.board(1, 500);

    String newest = Page.of(board.view(), false);
    String all = Page.of(board.view(), true);

    assertThat(newest).contains("<td>499</td>").doesNotContain("<td>299</td>");
    assertThat(all).contains("<td>299</td>", "<td>0</td>").doesNotContain("List all");
  }

  /** A plan from a damaged log may name sites that it does not have. */
  @Test
  void transfersBetweenUnknownSitesAreNotDrawn() throws Exception {
    Board board = new Board();
    PlanRow plan =
        new PlanRow(
            BEGIN,
            "c",
            List.of(new PlanRow.SiteRow("0", "m", 0, 1, 0)),
            List.of(new PlanRow.TransferRow(0, 7, 1, 1), new PlanRow.TransferRow(-3, 0, 1, 1)),
            1);
    board.add(
        new Round(
            "0",
            BEGIN,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            null,
            Map.of(),
            List.of(),
            List.of(plan),
            List.of(),
            null));

    assertThat(tree(Page.of(board.view(), false)).getElementsByTagName("path").getLength())
        .isZero();
  }

  @Test
  void theColourOfACheckpointIsThatOfItsFarthestLevel() throws Exception {
    Board board = new Board();
    board.add(
        MadeUpRounds.round(
            "0",
            BEGIN,
            List.of(),
            List.of(
                row("a", 0, 0, 0, Map.of("DEVICE", "sealed")),
                row("a", 0, 1, 100, Map.of("DEVICE", "sealed", "STORE", "sealed")))));

    NodeList paths = tree(Page.of(board.view(), false)).getElementsByTagName("path");

    assertThat(paths.getLength()).as("captured, DEVICE and STORE").isEqualTo(3);
    String device = paths.item(1).getAttributes().getNamedItem("d").getNodeValue();
    String store = paths.item(2).getAttributes().getNamedItem("d").getNodeValue();
    assertThat(paths.item(2).getAttributes().getNamedItem("fill").getNodeValue())
        .isEqualTo(Colors.of(io.cairn.Level.STORE));
    assertThat(device.chars().filter(c -> c == 'M').count()).isEqualTo(2);
    assertThat(store).startsWith("M1088 ").hasSizeLessThan(device.length());
  }

  @Test
  void thePictureIsBoundedByItsWidth() {
    int few = Page.of(MadeUpRounds.board(2, 1_000).view(), false).length();
    int many = Page.of(MadeUpRounds.board(2, 5_000).view(), false).length();

    assertThat(many - few).isLessThan(40_000);
  }

  /** Their labels would cover each other. */
  @Test
  void executorsThatAreGoneAtOneTimeHaveOneLabel() throws Exception {
    Board board = MadeUpRounds.board(2, 60);
    for (int i = 10; i < 30; i++) {
      board.started("e" + i, "m");
      board.gone("e" + i, BEGIN + 30_000 + i, "lost");
    }

    String page = Page.of(board.view(), false);

    tree(page);
    assertThat(page).contains("20 executors gone", "executor 1 gone").doesNotContain("e17 gone");
  }

  private static void runs(Board board, String process, String group, Map<String, Long> waits) {
    board.add(
        new Round(
            process,
            BEGIN + 60_000,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            null,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(new RunningRow(group, 0, 59, waits))));
  }

  @Test
  void ranksThatNeedSomebodyComeFirst() throws Exception {
    Board board = MadeUpRounds.board(4, 60);
    runs(board, "0", "fold-0", Map.of("STORE", BEGIN - 60_000));
    runs(board, "2", "fold-2", Map.of());
    runs(board, "3", "fold-3", Map.of());
    board.gone("3", BEGIN + 62_000, "lost");

    String page = Page.of(board.view(BEGIN + 65_000), false);

    tree(page);
    String ranks = page.substring(page.indexOf("Ranks now"), page.indexOf("Restores"));
    assertThat(ranks)
        .contains("no process since", "runs, last progress 5 s ago", "waits for STORE since")
        .contains("on machine-1");
    assertThat(ranks.indexOf("fold-3")).isLessThan(ranks.indexOf("fold-0"));
    assertThat(page).contains("34 iterations again", "newer: e1-i59 at DEVICE of executor 0");
    String late = Page.of(board.view(BEGIN + 600_000), false);
    assertThat(late)
        .contains("no progress for 9 min", "539 s before this page".replace("539 s", "9 min"));
  }

  /** A reader in the dark, or with a phone. */
  @Test
  void thePageFollowsDarkAndNarrowScreens() {
    String page = Page.of(MadeUpRounds.board(1, 3).view(), false);

    assertThat(page)
        .contains("prefers-color-scheme:dark", "max-width:600px", "cairn-scroll", "cairn-cards");
  }

  @Test
  void anElementThatIsNotEndedOrHasAStrangeNameIsRefused() {
    assertThatThrownBy(() -> new Html().open("p").toString())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("p");
    assertThatThrownBy(() -> new Html().open("p onclick"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
