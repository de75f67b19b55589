package io.cairn.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.cli.ExitCodes;
import io.cairn.cli.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command of a benchmark and its report, on figures that nobody measured. */
class BenchTest {
  @TempDir Path directory;

  private final StringWriter out = new StringWriter();

  /** A benchmark that found what its options say. */
  @Command(name = "sums")
  static final class Sums extends Bench {
    @Option(names = "--sum")
    private double sum;

    @Option(names = "--quick")
    private boolean quick;

    @Override
    protected void measure(BenchReport report) {
      if (quick) {
        report.quick();
      }
      report.note("of whole numbers");
      FigureTable sums = report.table("two runs");
      sums.row().add("of", "a|b").add("ms", sum).add("count", 3).add("best ms", null);
      sums.row().add("of", "c").add("ms", 1234.56).add("count", 40).add("best ms", 0.12345);
      report.table("nothing");
      report.atMost("sum", sum, 2.5);
    }
  }

  private int run(String... arguments) {
    return new CommandLine(new Sums()).setOut(new PrintWriter(out, true)).execute(arguments);
  }

  @Test
  void textHasTheTablesWithThreeDigitsAndTheBars() {
    assertThat(run("--sum", "2.0")).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString().lines().skip(2))
        .containsExactly(
            "of whole numbers",
            "",
            "two runs",
            "of     ms  count  best ms",
            "a|b  2.00      3",
            "c    1235     40    0.123",
            "",
            "bars",
            "bar  found  limit",
            "sum   2.00  <= 2.5  met");
    assertThat(out.toString()).startsWith(MeasuredMachine.current().toString());
  }

  @Test
  void aBarThatIsMissedIsABadVerdict() {
    assertThat(run("--sum", "3")).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString()).contains("NOT MET");
  }

  @Test
  void aFigureThatNearlyMeetsItsBarHasTheDigitsThatSaySo() {
    assertThat(Bar.atLeast("a", 0.9696, 0.97).found()).hasToString("0.9696");
    assertThat(Bar.atLeast("a", 0.97, 0.97).found()).hasToString("0.970");
    assertThat(Bar.atLeast("a", 0.961, 0.97).found()).hasToString("0.961");
    assertThat(Bar.atMost("a", 100.04, 100).found()).hasToString("100.04");
    assertThat(Bar.atMost("a", Math.nextUp(1.0), 1).found()).hasToString("1.0000000000000002");
    assertThat(Bar.atLeast("a", Math.nextDown(0.97), 0.97).met()).isFalse();
    assertThat(Bar.atLeast("a", Math.nextDown(0.97), 0.97).found().doubleValue()).isLessThan(0.97);
    assertThat(Bar.atLeast("a", Double.NaN, 1).found()).isEqualTo(Double.NaN);
    assertThat(Bar.atMost("a", 0, 0).found()).hasToString("0");
  }

  @Test
  void theTableOfBarsHasThoseDigits() {
    assertThat(run("--sum", "2.5004")).isEqualTo(ExitCodes.BAD);
    assertThat(out.toString()).contains("sum  2.5004  <= 2.5  NOT MET");
  }

  @Test
  void aQuickRunIsHeldAgainstNothing() {
    assertThat(run("--sum", "3", "--quick")).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains("A quick run").doesNotContain("NOT MET");
  }

  @Test
  void jsonHasAllDigitsAndEveryTable() throws IOException {
    assertThat(run("--sum", "2.0", "--json")).isEqualTo(ExitCodes.GOOD);
    JsonNode json = Json.tree(out.toString());
    assertThat(json.get("command").asText()).isEqualTo("sums --sum 2.0 --json");
    assertThat(json.at("/machine/cores").asInt()).isPositive();
    assertThat(json.at("/tables/0/over").asText()).isEqualTo("two runs");
    assertThat(json.at("/tables/0/rows/1/best ms").asDouble()).isEqualTo(0.12345);
    assertThat(json.at("/tables/0/rows/0/best ms").isNull()).isTrue();
    assertThat(json.at("/bars/0/met").asBoolean()).isTrue();
  }

  @Test
  void aPageSaysCommandMachineAndDateAndHasTheTables() throws IOException {
    Path page = directory.resolve("pages/page.md");
    assertThat(run("--sum", "2", "--page", page.toString())).isEqualTo(ExitCodes.GOOD);
    assertThat(Files.readString(page))
        .startsWith("# `bin/sums --sum 2 --page " + page + "`\n\n- machine: ")
        .contains("\n- date: 20", "\n- of whole numbers\n\ntwo runs\n\n")
        .contains("| of | ms | count | best ms |\n|---|---:|---:|---:|\n| a\\|b | 2.00 | 3 |  |\n")
        .endsWith("| sum | 2.00 | <= 2.5 | met |\n");
  }

  @Test
  void waysTakeTurnsAndTheirMediansCount() throws IOException {
    List<String> order = new ArrayList<>();
    double[] costs = {1, 10, 3, 30, 2, 50};
    SideBySide ways =
        new SideBySide()
            .way("a", () -> costs[add(order, "a")])
            .way("b", () -> costs[add(order, "b")])
            .run(2)
            .run(1);
    assertThat(order).containsExactly("a", "b", "a", "b", "a", "b");
    assertThat(ways.median("a")).isEqualTo(2);
    assertThat(ways.ratio("b", "a")).isEqualTo(15);
    assertThatIllegalArgumentException().isThrownBy(() -> ways.median("c"));
  }

  private static int add(List<String> order, String name) {
    order.add(name);
    return order.size() - 1;
  }
}
