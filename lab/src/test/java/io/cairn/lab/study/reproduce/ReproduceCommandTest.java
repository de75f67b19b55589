package io.cairn.lab.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.lab.Laboratory;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.study.chart.Pictures;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;

/** {@code reproduce} once, with few simulated runs, and everything that it writes. */
class ReproduceCommandTest {
  private static final List<String> PICTURES =
      List.of(
          "figure-3",
          "figure-4",
          "figure-5",
          "figure-6",
          "figure-13",
          "figure-14",
          "figure-15",
          "figure-3c");

  @TempDir static Path directory = Path.of("");
  @TempDir static Path reports = Path.of("");
  private static final StringWriter OUT = new StringWriter();

  @BeforeAll
  static void reproduce() {
    String[] words = {
      "--out", directory.toString(),
      "--runs", "400",
      "--seed", "3",
      "--output", reports.resolve("report.json").toString(),
      "--page", reports.resolve("report.md").toString()
    };
    int code =
        Laboratory.commandLine()
            .setOut(new PrintWriter(OUT))
            .execute(
                Stream.concat(Stream.of("reproduce"), Stream.of(words)).toArray(String[]::new));
    assertThat(code).isZero();
  }

  private static JsonNode report() throws IOException {
    return new ObjectMapper().readTree(reports.resolve("report.json").toFile());
  }

  @Test
  void everyPictureIsDrawnAndNamedAndNothingElse() throws IOException {
    Set<String> expected = new HashSet<>();
    for (String name : PICTURES) {
      expected.addAll(List.of(name + ".svg", name + ".png"));
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    assertThat(ReportRow.of(report(), "tables", "printed numbers"))
        .extracting(row -> row.text("pictures"))
        .containsAll(PICTURES);
    assertThat(OUT.toString()).contains("Table 2", "reproduces");
  }

  @Test
  void picturesAreWhole() throws Exception {
    for (String name : PICTURES) {
      assertThat(ImageIO.read(directory.resolve(name + ".png").toFile()).getWidth())
          .as(name)
          .isGreaterThan(1000);
      Document svg = parse(directory.resolve(name + ".svg"));
      assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
      assertThat(svg.getElementsByTagName("path").getLength()).as(name).isGreaterThan(20);
    }
  }

  @Test
  void thePageSaysWhatDoesNotReproduce() throws IOException {
    String page = Files.readString(reports.resolve("report.md"));
    assertThat(page)
        .contains("what does not reproduce", "1378.27", "1.04e4", "drawn only", "Misprint")
        .contains("efficiency at 16 times the failures")
        .doesNotContain("NaN", "Infinity");
  }

  @Test
  void numbersThatAreNotSimulatedDifferOnlyWhereItIsKnown() throws IOException {
    Set<String> differing = new HashSet<>();
    for (ReportRow row : ReportRow.of(report(), "data", "every printed number")) {
      boolean simulated =
          row.text("of").contains("simulated") || row.text("exhibit").equals("figure-6");
      if (!simulated && row.text("agreement").equals("differs")) {
        assertThat(row.text("why")).as(row.toString()).isNotEmpty();
        differing.add(row.text("exhibit") + ": " + row.text("of"));
      }
    }
    assertThat(differing)
        .containsExactlyInAnyOrder(
            "table-3: {1,3,4} 14/7/1: length in seconds",
            "example: best length of the pattern in seconds",
            "figure-13: cells of nine with a gain of 1.1 to 2.0",
            "figure-15: efficiency at 16 times the failures, however fast the shared store",
            "figure-15: failure factor from which no shared store gives 90 %, non-blocking",
            "figure-3c: how much more often may failures come for the same waste of 15 %");
  }

  @Test
  void tablesAgreeWithValuesFromElsewhere() throws IOException {
    ReferenceValues references = new ReferenceValues(report());
    references.checkTable("table-2", "table2_inferred_parameters");
    references.checkTable("table-2-as-printed", "table2_printed_parameters");
    references.checkTable("table-3", "table3");
    references.checkCases("figure-5", "Case #A", "C_A");
    references.checkCases("figure-5", "Case #B", "C_B");
    references.checkCases("figure-6", "Case 1", "D1");
    references.checkCases("figure-6", "Case 2", "D2");
    references.checkCases("figure-6", "Case 8", "D8");
    references.checkEfficiencies();
    references.checkWaste();
  }

  @Test
  void theSeedDecidesEverything(@TempDir Path other) throws IOException, InterruptedException {
    assertThat(table3(other, 5)).isEqualTo(table3(other, 5)).isNotEqualTo(table3(other, 6));
  }

  private static Object table3(Path out, long seed) throws IOException, InterruptedException {
    Published published = Published.read();
    BenchReport report = new BenchReport("");
    Workshop workshop = new Workshop(published, new Pictures(out), report, 100, seed, () -> {});
    new Table3(published).reproduce(workshop);
    return Objects.requireNonNull(report.json().get("tables"));
  }

  @Test
  void tooFewRunsAreRefused() {
    StringWriter err = new StringWriter();
    int code =
        Laboratory.commandLine()
            .setErr(new PrintWriter(err))
            .execute("reproduce", "--out", directory.toString(), "--runs", "1");
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("--runs must be at least 2: 1");
  }

  private static Document parse(Path file)
      throws ParserConfigurationException, IOException, SAXException {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    DocumentBuilder builder = factory.newDocumentBuilder();
    return builder.parse(file.toFile());
  }
}
