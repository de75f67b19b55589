package io.cairn.lab.study.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cli.CommandRun;
import io.cairn.cli.ExitCodes;
import io.cairn.lab.LabRun;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.SAXParserFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;
import org.xml.sax.helpers.DefaultHandler;

/** {@code simulate trace} as users call it. */
class SimulateTraceTest {
  private static final String ROWS = "/tables/0/rows";

  @TempDir Path directory;
  private Path machine = Path.of("");
  private Path trace = Path.of("");

  /**
   * Two devices, linked at 10 GB/s and with 5 GB/s to the host; at one of two snapshots one has 50
   * MB too much.
   */
  @BeforeEach
  void writeInputs() throws IOException {
    machine =
        Files.writeString(
            directory.resolve("machine.json"),
            """
            {"devices": 2, "linkBytesPerSecond": [[0, 1, 10e9], [1, 0, 10e9]],
             "hostLinkBytesPerSecond": [5e9, 5e9]}
            """);
    trace =
        Files.writeString(
            directory.resolve("trace.csv"),
            "snapshot,rank,bytes\n0,0,50000000\n0,1,60000000\n1,0,150000000\n1,1,50000000\n");
  }

  @Test
  void aSmallTraceByHand() throws IOException {
    JsonNode report = json(run("--cache-mb", "100,1000"));
    assertThat(report.at("/notes/0").textValue())
        .isEqualTo("column bytes, 2 ranks, 2 snapshots, chunks of 1 MB, seed 1");
    // 50 MB over 15 GB/s; 17 of 50 chunks over 5; 50 over 10; 50 over 5.
    List<Double> expected = List.of(0.0, 2.0, 50.0, 200.0);
    JsonNode results = report.at(ROWS);
    requireEveryRow(results);
    List<String> algorithms = List.of("exact", "min-time", "greedy", "local-only");
    for (int row = 0; row < 4; row++) {
      JsonNode result = results.get(row);
      assertThat(result.get("trace").textValue()).isEqualTo(trace.toString());
      assertThat(result.get("topology").textValue()).isEqualTo(machine.toString());
      assertThat(result.get("algorithm").textValue()).isEqualTo(algorithms.get(row));
      assertThat(result.get("waits").intValue()).isEqualTo(1);
      for (String quantile : List.of("median %", "p90 %", "max %")) {
        assertThat(result.get(quantile).doubleValue()).isCloseTo(expected.get(row), within(1e-6));
      }
      assertThat(result.get("max µs").doubleValue()).isGreaterThanOrEqualTo(0);
    }
  }

  private static void requireEveryRow(JsonNode results) {
    assertThat(results).hasSize(4 * (2 + 2 + 2 * 4)); // measured, drawn, and two kinds of switch
    assertThat(results.findValuesAsText("topology"))
        .contains("nvswitch:128", "nvswitch-uncapped:16");
    for (JsonNode result : results) {
      assertThat(result.get("max %").doubleValue())
          .as(result.toString())
          .isGreaterThanOrEqualTo(-1e-6);
    }
  }

  @Test
  void theTableIsReadableAndATraceThatAlwaysFitsIsDrawnToo() {
    Path charts = directory.resolve("charts");
    CommandRun run = trace("--cache-mb", "100,1000", "--chart", charts.toString());
    assertThat(run.exit()).as(run.err()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.lines()).anyMatch(line -> line.matches("trace .* median % .* max µs"));
    assertThat(charts).isDirectoryContaining("glob:**figure-06*.png");
    assertThat(run.out())
        .containsPattern("machine.json +100 +1 +greedy +50.0 +50.0 +50.0 ")
        .contains("snapshots that somebody has to wait for");
  }

  /** Accepts what is well-formed, and fetches no definition from anywhere. */
  private static final class Offline extends DefaultHandler {
    @Override
    public InputSource resolveEntity(String publicId, String systemId) {
      return new InputSource(new StringReader(""));
    }
  }

  @Test
  void theShippedTraceGivesWhatIsKnownOfItAndEveryFigure() throws Exception {
    Path charts = directory.resolve("charts");
    CommandRun run = LabRun.of("simulate", "trace", "--json", "--chart", charts.toString());
    JsonNode results = json(run).at(ROWS);
    assertThat(localOnlyMedian(results, 0)).isBetween(0.0, 5.0);
    assertThat(localOnlyMedian(results, 1)).isBetween(0.0, 30.0);
    assertThat(localOnlyMedian(results, 2)).isBetween(120.0, 800.0);
    for (int figure = 3; figure <= 10; figure++) {
      SAXParserFactory.newInstance()
          .newSAXParser()
          .parse(figure(charts, figure, "svg").toFile(), new Offline());
      BufferedImage image = ImageIO.read(figure(charts, figure, "png").toFile());
      assertThat(image.getWidth()).isGreaterThanOrEqualTo(1800);
      assertThat(coloured(image)).as("figure " + figure).isGreaterThan(250);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--topology dgx1, 'has 2 ranks, and dgx1 has 8 devices'",
    "--topology dgx9, there is no topology",
    "--column size, 'line 1: there is no column ''size'''",
    "--cache-mb -1, --cache-mb must be 0 to",
    "--cache-mb NaN, --cache-mb must be 0 to",
    "--scale-total-gb 0, --scale-total-gb must be above 0",
    "--scale-total-gb 900000, scale it with --scale-total-gb"
  })
  void whatDoesNotFitIsRefused(String arguments, String message) {
    CommandRun run = trace(arguments.split(" "));
    assertThat(run.exit()).as(run.out()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains(message);
  }

  private CommandRun run(String... more) {
    return trace(Stream.concat(Stream.of("--json"), Stream.of(more)).toArray(String[]::new));
  }

  private CommandRun trace(String... more) {
    List<String> given = List.of(more);
    Stream<String> start = Stream.of("simulate", "trace", "--trace", trace.toString());
    Stream<String> topology =
        given.contains("--topology") ? Stream.of() : Stream.of("--topology", machine.toString());
    return LabRun.of(
        Stream.concat(Stream.concat(start, topology), given.stream()).toArray(String[]::new));
  }

  private static JsonNode json(CommandRun run) throws IOException {
    assertThat(run.exit()).as(run.err()).isEqualTo(ExitCodes.GOOD);
    return new ObjectMapper().readTree(run.out());
  }

  private static double localOnlyMedian(JsonNode results, int cache) {
    return results.get(4 * cache + 3).get("median %").doubleValue();
  }

  private static Path figure(Path charts, int number, String type) throws IOException {
    try (Stream<Path> files = Files.list(charts)) {
      String start = String.format(Locale.ROOT, "figure-%02d-", number);
      return files
          .filter(file -> file.getFileName().toString().startsWith(start))
          .filter(file -> file.toString().endsWith("." + type))
          .findFirst()
          .orElseThrow();
    }
  }

  private static int coloured(BufferedImage image) {
    int count = 0;
    for (int y = 0; y < image.getHeight(); y += 4) {
      for (int x = 0; x < image.getWidth(); x += 4) {
        int rgb = image.getRGB(x, y);
        int red = rgb >> 16 & 0xff;
        int blue = rgb & 0xff;
        count += Math.abs(red - blue) > 60 ? 1 : 0;
      }
    }
    return count;
  }
}
