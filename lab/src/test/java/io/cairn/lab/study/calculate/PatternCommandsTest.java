package io.cairn.lab.study.calculate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cli.ExitCodes;
import io.cairn.lab.Laboratory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code pattern} and {@code model} as users call them. */
class PatternCommandsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path file = Path.of("");

  @BeforeEach
  void writeLevels() throws IOException {
    file =
        levels(
            """
            {"levels": [
              {"name": "local", "mtbfSeconds": 36000, "checkpointSeconds": 10, "recoverySeconds": 10},
              {"name": "partner", "mtbfSeconds": 72000, "checkpointSeconds": 30, "recoverySeconds": 30},
              {"name": "rs", "mtbfSeconds": 144000, "checkpointSeconds": 50, "recoverySeconds": 50},
              {"name": "pfs", "failuresPerSecond": 1.388888888888889e-6, "checkpointSeconds": 150,
               "recoverySeconds": 150}]}
            """);
  }

  @Test
  void printsJsonWithEveryMember() throws IOException {
    JsonNode json = json("--failures", "computation-only", "--json");
    assertThat(json.get("subset").toString()).isEqualTo("[1,3,4]");
    assertThat(json.get("counts").toString()).isEqualTo("[3,6]");
    assertThat(json.get("totals").toString()).isEqualTo("[18,6]");
    assertThat(json.get("lengthSeconds").doubleValue()).isCloseTo(13514.5167, within(1.0));
    assertThat(json.get("segmentSeconds").doubleValue())
        .isCloseTo(json.get("lengthSeconds").doubleValue() / 18, within(1e-9));
    JsonNode overhead = json.get("overhead");
    assertThat(overhead.get("exact").doubleValue()).isCloseTo(0.0939041899, within(1e-9));
    assertThat(overhead.get("lowerBound").doubleValue()).isCloseTo(0.0896261870, within(1e-9));
    assertThat(overhead.get("firstOrder").doubleValue()).isBetween(0.0898, 0.0900);
    assertThat(json.at("/youngDaly/lengthSeconds").doubleValue())
        .isCloseTo(2449.489742783178, within(1e-6));
    assertThat(json.at("/youngDaly/exact").doubleValue())
        .isCloseTo(0.13303156542751404, within(1e-9));
    assertThat(json.get("alternatives")).hasSize(7);
    assertThat(json.at("/alternatives/0/overhead/exact").doubleValue())
        .isGreaterThan(overhead.get("exact").doubleValue());
  }

  @Test
  void evaluatesAGivenPattern() throws IOException {
    JsonNode json =
        json(
            "--subset",
            "1,4",
            "--counts",
            "5",
            "--length",
            "3794.733192202055",
            "--recovery",
            "own",
            "--failures",
            "everywhere",
            "--json");
    assertThat(json.get("counts").toString()).isEqualTo("[5]");
    assertThat(json.at("/overhead/firstOrder").doubleValue())
        .isCloseTo(0.10540925533894598, within(1e-12));
    assertThat(json.get("lengthSeconds").doubleValue()).isEqualTo(3794.733192202055);
    assertThat(json("--subset", "4", "--length", "1000", "--json").get("lengthSeconds").intValue())
        .isEqualTo(1000);
  }

  @Test
  void printsATableAndThePatternAsALine() {
    assertThat(run("--subset", "1,3,4", "--counts", "3,2", "--length", "6000")).isZero();
    assertThat(out.toString())
        .contains("Given pattern: 1.7 h of work (6000.00 s) in 6 segments of 16.7 min")
        .contains("── 1 ── 1 ── 1+3 ── 1 ── 1 ── 1+3+4")
        .containsPattern("2 +partner +not used")
        .contains("Young/Daly", "alternative");
  }

  @Test
  void longPatternsAreWrittenShort() {
    assertThat(run("--subset", "1,3,4", "--counts", "9,7", "--length", "60000")).isZero();
    assertThat(out.toString()).contains("6 × (8 × (── 1) ── 1+3) 8 × (── 1) ── 1+3+4");
  }

  @Test
  void firstOrderIsThePapers() throws IOException {
    JsonNode json = json("--optimizer", "first-order", "--json");
    assertThat(json.get("lengthSeconds").doubleValue()).isCloseTo(14026.480979728978, within(1e-6));
    JsonNode incremental = json("--optimizer", "first-order", "--cost", "incremental", "--json");
    assertThat(incremental.get("subset")).hasSize(4);
  }

  @Test
  void warnsOfSwappedLevelsAndOfFirstOrder() throws IOException {
    file =
        levels(
            """
            {"levels": [
              {"name": "a", "mtbfSeconds": 216, "checkpointSeconds": 300, "recoverySeconds": 50},
              {"name": "b", "mtbfSeconds": 1440, "checkpointSeconds": 50, "recoverySeconds": 300}]}
            """);
    assertThat(run("--json")).isZero();
    assertThat(err.toString())
        .contains("cairn: level 2 'b' costs less than level 1 'a'", "looks swapped")
        .contains("cairn: first order misleads here");
    assertThat(MAPPER.readTree(out.toString()).get("notes")).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void drawsEveryChart() {
    Path charts = directory.resolve("charts");
    assertThat(run("--chart", charts.toString())).isZero();
    for (String name : List.of("overhead-over-length", "overhead-over-mtbf", "pattern")) {
      assertThat(charts.resolve(name + ".svg")).content().contains("<svg");
      assertThat(charts.resolve(name + ".png")).isNotEmptyFile();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"levels\": []}|a platform has 1 to 16 levels, not 0",
        "{}|no \"levels\"",
        "{\"levels\": [null]}|a level is null",
        "{\"levels\": [{\"name\": \"a\", \"mtbfSeconds\": 1, \"recoverySeconds\": 1}]}|level 'a'"
            + " has no checkpointSeconds",
        "{\"levels\": [{\"name\": \"a\", \"checkpointSeconds\": 1, \"recoverySeconds\": 1}]}|level"
            + " 'a' has no mtbfSeconds and no failuresPerSecond",
        "{\"levels\": [{\"name\": \"a\", \"mtbfSeconds\": 1, \"failuresPerSecond\": 1,"
            + " \"checkpointSeconds\": 1, \"recoverySeconds\": 1}]}|has both",
        "{\"levels\": [{\"name\": \"a\", \"mtbfSeconds\": -1, \"checkpointSeconds\": 1,"
            + " \"recoverySeconds\": 1}]}|mtbfSeconds of level 'a'",
        "{\"levels\": [{\"name\": \"a\", \"mtbfSeconds\": \"NaN\", \"checkpointSeconds\": 1,"
            + " \"recoverySeconds\": 1}]}|must be a finite number above 0, not NaN",
        "{\"levels\": [{\"name\": \"a\", \"failuresPerSecond\": 0, \"checkpointSeconds\": 1,"
            + " \"recoverySeconds\": 1}]}|failuresPerSecond of level 'a'",
        "{\"levels\": [{\"name\": \"a\", \"mtbfSeconds\": 1e999, \"checkpointSeconds\": 1,"
            + " \"recoverySeconds\": 1}]}|mtbfSeconds of level 'a'",
        "{\"levels\": [{\"name\": \"a\", \"mtbf\": 1}]}|mtbf",
        "[1|levels.json"
      })
  void refusesLevelsByName(String content, String message) throws IOException {
    file = levels(content);
    assertThat(run()).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("levels.json").contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--subset 1,2|leaves out the highest level, 4",
        "--subset 4,1|must rise",
        "--counts 5|need the subset",
        "--subset 1,4 --counts 5,6|needs 1 counts",
        "--subset 1,4 --counts 0|at least 1",
        "--length -5|lengthSeconds",
        "--length NaN|lengthSeconds",
        "--failures never|give one of computation-only, everywhere",
        "--optimizer best|give one of first-order, exact"
      })
  void refusesOptionsByName(String options, String message) {
    assertThat(run(options.split(" ", -1))).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void modelsAnswerLineByLine() throws IOException {
    Path input = directory.resolve("lines.jsonl");
    String params =
        "{\"l1\":7.028e-05,\"l2\":5.5096e-06,\"c1\":72.5,\"r1\":72.5,\"c2\":12760.0,\"lat\":12760.0,"
            + "\"r2\":12760.0,\"alpha\":0.00184,\"r1first\":false,\"esc\":true}";
    Files.writeString(
        input,
        "{\"params\":%s,\"m\":10,\"t\":469.4,\"F\":10}\n\n{\"params\":%s,\"m\":10,\"t\":469.4}\n{\"params\":%s}"
            .formatted(params, params, params));
    assertThat(model("nonblocking", input)).isZero();
    List<JsonNode> lines = lines();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0).at("/params/lat").doubleValue()).isEqualTo(12760);
    assertThat(lines.get(0).get("expectedSeconds").doubleValue())
        .isCloseTo(6575.119045619124, within(1e-5));
    assertThat(lines.get(0).get("blockingExpectedSeconds").doubleValue())
        .isCloseTo(32244.858361435552, within(3e-5));
    assertThat(lines.get(0).get("efficiency").doubleValue())
        .isCloseTo(4694 / 6575.119045619124, within(1e-9));
    assertThat(lines.get(1).get("F").intValue()).isEqualTo(10);
    assertThat(lines.get(1).get("keepsUp").booleanValue()).isFalse();
    assertThat(lines.get(2).get("efficiency").doubleValue())
        .isGreaterThan(lines.get(2).at("/blocking/efficiency").doubleValue());
  }

  @Test
  void wasteIsThatOfEquation2() throws IOException {
    Path input = directory.resolve("lines.jsonl");
    String params = "\"Ctotal\":17,\"Coverhead\":2.6,\"R\":7.648183556405353,\"D\":0";
    Files.writeString(
        input,
        "{\"params\":{%s},\"mu\":3600}\n{%s,\"mu\":3600,\"T\":400}\n".formatted(params, params));
    assertThat(model("waste", input)).isZero();
    JsonNode line = lines().get(0);
    assertThat(line.get("optimalPeriodSeconds").doubleValue())
        .isCloseTo(349.48528117659293, within(1e-9));
    assertThat(line.get("waste").doubleValue()).isCloseTo(0.05772671365995918, within(1e-12));
    assertThat(line.get("leastWaste").doubleValue()).isCloseTo(0.039728838734676475, within(1e-12));
    assertThat(lines().get(1).get("waste").doubleValue())
        .isCloseTo(1 - (1 - 2.6 / 400) * (1 - (7.648183556405353 + 200) / 3600), within(1e-12));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonblocking|{\"params\":{}}|line 2: no \"lat\"",
        "nonblocking|{\"params\":3}|\"params\" must be an object",
        "nonblocking|[1]|not a JSON object",
        "nonblocking|{\"params\"|not JSON",
        "nonblocking|{} {}|not JSON",
        "waste|{\"Ctotal\":-1,\"mu\":1}|Ctotal",
        "waste|{\"Ctotal\":\"NaN\",\"mu\":1}|must be a finite number above 0, not NaN",
        "waste|{\"Ctotal\":\"many\",\"mu\":1}|\"Ctotal\" must be a number",
        "waste|{\"Ctotal\":1}|no \"mu\"",
        "waste|{\"Ctotal\":1,\"R\":50,\"mu\":40}|must exceed downtime and recovery"
      })
  void refusesLinesByNumber(String model, String line, String message) throws IOException {
    Path input = directory.resolve("lines.jsonl");
    Files.writeString(input, "\n" + line + "\n");
    assertThat(model(model, input)).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("lines.jsonl: line 2: ").contains(message);
  }

  private Path levels(String content) throws IOException {
    return Files.writeString(directory.resolve("levels.json"), content);
  }

  private int run(String... options) {
    List<String> arguments = new ArrayList<>(List.of("--levels", file.toString()));
    arguments.addAll(List.of(options));
    return execute("pattern", arguments);
  }

  private JsonNode json(String... options) throws IOException {
    out.getBuffer().setLength(0);
    assertThat(run(options)).as("%s", err).isZero();
    return MAPPER.readTree(out.toString());
  }

  private int model(String name, Path input) {
    return execute("model", List.of(name, "--input", input.toString()));
  }

  private List<JsonNode> lines() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out.toString().lines().toList()) {
      lines.add(MAPPER.readTree(line));
    }
    return lines;
  }

  private int execute(String command, List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.add(0, command);
    return Laboratory.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }
}
