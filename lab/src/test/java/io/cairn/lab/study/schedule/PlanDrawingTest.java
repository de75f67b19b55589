package io.cairn.lab.study.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.cli.CommandRun;
import io.cairn.cli.ExitCodes;
import io.cairn.lab.LabRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What {@code --picture} draws. */
class PlanDrawingTest {
  private static final String RED = "#c62828";

  @TempDir Path directory;

  @Test
  void anArrowPerTransferAsWideAsItsBytesWithTheBottleneckInRed() throws Exception {
    draw(List.of(Instances.published().toString()), "--lexicographic", "--chunked");
    Document picture = parsed(directory.resolve("pictures/0001-published.svg"));
    List<Element> arrows = named(picture, " to ");
    assertThat(arrows.stream().map(PlanDrawingTest::title))
        .containsExactly(
            "G0 to G1: 137 MB",
            "G0 to G4: 275 MB",
            "G0 to host: 68 MB",
            "G6 to G4: 160 MB",
            "G6 to host: 80 MB");
    assertThat(arrows.stream().map(arrow -> shaft(arrow, "stroke").equals(RED)))
        .containsExactly(false, false, false, true, true);
    List<Double> widths =
        arrows.stream().map(arrow -> Double.parseDouble(shaft(arrow, "stroke-width"))).toList();
    assertThat(widths.get(1) / widths.get(3)).isBetween(1.65, 1.78);
    assertThat(picture.getDocumentElement().getTextContent())
        .contains("published, exact: blocks for 6.67 ms")
        .contains("limited by G6 to host at 12 GB/s, G6 to G4 at 24 GB/s")
        .contains("480 MB", "435 MB of");
    assertThat(named(picture, "G")).hasSize(5 + 8);
  }

  @Test
  void everyOracleInstanceIsDrawnWithAsManyArrowsAsTransfers() throws Exception {
    for (String kind : List.of("flow", "flow-extended")) {
      List<String> problems =
          Files.readAllLines(Instances.oracle(kind + "-instances.jsonl", directory));
      List<JsonNode> plans = draw(problems);
      for (int line = 0; line < plans.size(); line++) {
        JsonNode plan = plans.get(line);
        String id = plan.get("id").textValue().replace('+', '_');
        Path file =
            directory.resolve(String.format(Locale.ROOT, "pictures/%04d-%s.svg", line + 1, id));
        assertThat(Files.exists(file)).isEqualTo(plan.get("feasible").booleanValue());
        if (Files.exists(file)) {
          assertThat(named(parsed(file), " to ")).as(id).hasSameSizeAs(plan.get("transfers"));
        }
      }
    }
  }

  @Test
  void capsAndCardsThatLimitAreRed() throws Exception {
    String capped =
        """
        {"id":"caps <&> \u0001","devices":2,"remainderBytes":[1000,0],"spareBytes":[0,2000],\
        "linkBytesPerSecond":[[0,1,300]],"hostLinkBytesPerSecond":[100,100],"chunkBytes":1,\
        "egressBytesPerSecond":[50,50]}\
        """
            .replace("\u0001", "\\u0001");
    String carded =
        """
        {"id":"cards","devices":2,"remainderBytes":[1000,0],"spareBytes":[0,2000],\
        "linkBytesPerSecond":[],"hostLinkBytesPerSecond":[100,100],"chunkBytes":1,\
        "nodes":[{"devices":[0],"nicBytesPerSecond":50},{"devices":[1],"nicBytesPerSecond":90}]}\
        """;
    draw(List.of(capped, carded));
    Document caps = parsed(directory.resolve("pictures/0001-caps______.svg"));
    assertThat(circle(named(caps, "G0 sends").get(0)).getAttribute("stroke")).isEqualTo(RED);
    assertThat(circle(named(caps, "G1 ").get(0)).getAttribute("stroke")).isNotEqualTo(RED);
    assertThat(caps.getDocumentElement().getTextContent()).contains("caps <&>", "what G0 sends");
    Document cards = parsed(directory.resolve("pictures/0002-cards.svg"));
    assertThat(cards.getDocumentElement().getTextContent())
        .contains("network out of G0 at 50 B/s", "node 0, network 50 B/s");
  }

  @Test
  void aPlanWithoutProofShowsItsSlowestTransferInRed() throws Exception {
    draw(List.of(Instances.published().toString()), "--algorithm", "greedy");
    Document picture = parsed(directory.resolve("pictures/0001-published.svg"));
    assertThat(named(picture, " to ").stream().filter(arrow -> shaft(arrow, "stroke").equals(RED)))
        .singleElement()
        .satisfies(arrow -> assertThat(title(arrow)).isEqualTo("G6 to host: 240 MB"));
  }

  @Test
  void whatIsTooLargeToReadIsNotDrawnAndThatIsSaid() throws IOException {
    String zeros = IntStream.range(0, 257).mapToObj(i -> "0").toList().toString();
    String large =
        """
        {"id":"large","devices":257,"remainderBytes":%1$s,"spareBytes":%1$s,\
        "linkBytesPerSecond":[],"hostLinkBytesPerSecond":%1$s,"chunkBytes":1}\
        """
            .formatted(zeros);
    Path input = Files.writeString(directory.resolve("problems.jsonl"), large);
    Path pictures = directory.resolve("pictures");
    CommandRun run =
        LabRun.of("schedule", "--input", input.toString(), "--picture", pictures.toString());
    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.err()).contains("line 1 (large) not drawn", "256 devices");
    assertThat(pictures).isEmptyDirectory();
  }

  private List<JsonNode> draw(List<String> problems, String... more) throws IOException {
    Path input = Files.write(directory.resolve("problems.jsonl"), problems);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "schedule",
                "--input",
                input.toString(),
                "--picture",
                directory.resolve("pictures").toString()));
    arguments.addAll(List.of(more));
    CommandRun run = LabRun.of(arguments.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isEqualTo(ExitCodes.GOOD);
    return Instances.parsed(run.lines());
  }

  private static Document parsed(Path svg) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(svg.toFile());
  }

  /** The parts of a picture whose name holds a text. */
  private static List<Element> named(Document picture, String text) {
    return elements(picture.getElementsByTagName("g"))
        .filter(part -> title(part).contains(text))
        .toList();
  }

  private static Stream<Element> elements(NodeList nodes) {
    return IntStream.range(0, nodes.getLength()).mapToObj(at -> (Element) nodes.item(at));
  }

  private static String title(Element part) {
    return part.getElementsByTagName("title").item(0).getTextContent();
  }

  private static Element circle(Element part) {
    return (Element) part.getElementsByTagName("circle").item(0);
  }

  private static String shaft(Element arrow, String attribute) {
    return ((Element) arrow.getElementsByTagName("polyline").item(0)).getAttribute(attribute);
  }
}
