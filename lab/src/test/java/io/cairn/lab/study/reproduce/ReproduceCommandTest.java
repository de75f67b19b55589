package io.cairn.lab.study.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.Laboratory;
import io.cairn.lab.study.chart.Pictures;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
  private static final List<String> TABLES =
      List.of("table-2", "table-2-as-printed", "table-3", "table-5", "comparisons");

  @TempDir static Path directory = Path.of("");
  private static final StringWriter OUT = new StringWriter();

  @BeforeAll
  static void reproduce() {
    int code =
        Laboratory.commandLine()
            .setOut(new PrintWriter(OUT))
            .execute("reproduce", "--out", directory.toString(), "--runs", "400", "--seed", "3");
    assertThat(code).isZero();
  }

  @Test
  void everyFileIsWrittenAndNothingElse() throws IOException {
    Set<String> expected = new HashSet<>(Set.of("index.html"));
    TABLES.forEach(name -> expected.add(name + ".csv"));
    for (String name : PICTURES) {
      expected.addAll(List.of(name + ".csv", name + ".svg", name + ".png"));
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    assertThat(OUT.toString()).contains("Table 2", "reproduces", "index.html");
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
  void theIndexIsWellFormedAndItsLinksResolve() throws Exception {
    Path index = directory.resolve("index.html");
    parse(index);
    String page = Files.readString(index);
    Set<String> linked = new HashSet<>();
    Matcher links = Pattern.compile("(?:href|src)=\"([^\"]*)\"").matcher(page);
    while (links.find()) {
      String target = links.group(1);
      if (target.startsWith("#")) {
        assertThat(page).contains(" id=\"" + target.substring(1) + "\"");
      } else {
        assertThat(directory.resolve(target)).exists();
        linked.add(target);
      }
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(
              files
                  .map(each -> each.getFileName().toString())
                  .filter(each -> !each.equals("index.html")))
          .allMatch(linked::contains);
    }
    assertThat(page).doesNotContain("http:", "https:", "NaN", "Infinity");
  }

  @Test
  void theIndexSaysWhatDoesNotReproduce() throws IOException {
    String page = Files.readString(directory.resolve("index.html"));
    assertThat(page)
        .contains("What does not reproduce", "1378.27", "1.04e4", "drawn only", "Misprint")
        .contains("efficiency at 16 times the failures");
  }

  @Test
  void numbersThatAreNotSimulatedDifferOnlyWhereItIsKnown() throws IOException {
    Set<String> differing = new HashSet<>();
    for (CsvTable.Row row : CsvTable.read(directory.resolve("comparisons.csv"))) {
      boolean simulated =
          row.text("what").contains("simulated") || row.text("exhibit").equals("figure-6");
      if (!simulated && row.text("agreement").equals("differs")) {
        assertThat(row.text("note")).as(row.toString()).isNotEmpty();
        differing.add(row.text("exhibit") + ": " + row.text("what"));
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
    ReferenceValues references = new ReferenceValues(directory);
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

  private static List<List<Cell>> table3(Path out, long seed)
      throws IOException, InterruptedException {
    Published published = Published.read();
    Workshop workshop = new Workshop(published, new Pictures(out), 100, seed, () -> {});
    return new Table3(published).reproduce(workshop).get(0).tables().get(0).rows();
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
