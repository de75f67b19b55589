package io.cairn.lab.bench.page;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Units;
import io.cairn.lab.LabCommand;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Samples;
import io.cairn.spark.ui.model.Board;
import io.cairn.spark.ui.model.CheckpointRow;
import io.cairn.spark.ui.model.RankRow;
import io.cairn.spark.ui.model.Round;
import io.cairn.spark.ui.page.Page;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench page}: the time of Spark's UI to draw the page of checkpoints. */
@Command(
    name = "page",
    description = {
      "Draw the page \"Checkpoints\" of Spark's UI with as many checkpoints as it keeps, all of"
          + " them listed, and report the time.",
      "Takes some ten seconds."
    })
public final class BenchPageCommand implements LabCommand {
  private static final long BEGIN_MILLIS = 1_790_000_000_000L;
  private static final double MOST_MILLIS = 1_000;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      defaultValue = "16",
      description = "Ranks. Default: ${DEFAULT-VALUE}.")
  private int ranks;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "100",
      description = "Pages that are drawn. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Mixin private JsonOption json = new JsonOption();

  /**
   * The findings; its JSON is this record.
   *
   * @param firstMillis of the first page, while classes are loaded and nothing is compiled
   * @param pageMillis of all pages, the first one included
   * @param processorMillis of all pages: the time that they take on a machine that is free
   * @param pageBytes length of a page
   */
  record Report(
      String date,
      MeasuredMachine machine,
      int ranks,
      int checkpoints,
      double firstMillis,
      Samples.Quantiles pageMillis,
      Samples.Quantiles processorMillis,
      int pageBytes,
      List<Bar> bars) {}

  /** Made by the command line. */
  public BenchPageCommand() {}

  @Override
  public Integer call() throws IOException {
    if (ranks < 1 || ranks > 1_000 || rounds < 1 || rounds > 100_000) {
      throw new IllegalArgumentException("--ranks is 1 to 1000, --rounds is 1 to 100000");
    }
    Report report = measure();
    json.print(report, out -> print(report, out));
    return report.bars().stream().allMatch(Bar::met) ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private Report measure() {
    Board board = board();
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    Samples samples = new Samples();
    Samples processor = new Samples();
    double first = 0;
    int bytes = 0;
    for (int i = 0; i < rounds; i++) {
      long start = System.nanoTime();
      long used = thread.getCurrentThreadCpuTime();
      bytes = Page.of(board.view(), true).length();
      long nanos = System.nanoTime() - start;
      samples.add(nanos);
      processor.add(thread.getCurrentThreadCpuTime() - used);
      first = i == 0 ? nanos / 1e6 : first;
    }
    Samples.Quantiles millis = samples.millis();
    return new Report(
        Instant.now().toString(),
        MeasuredMachine.current(),
        ranks,
        board.view().checkpoints().size(),
        first,
        millis,
        processor.millis(),
        bytes,
        List.of(
            Bar.atMost(
                "slowest page, ms of processor time", processor.millis().max(), MOST_MILLIS)));
  }

  /** As many checkpoints as a board keeps, of a training that goes on evenly. */
  private Board board() {
    Board board = new Board();
    int each = Board.MOST_CHECKPOINTS / ranks;
    for (int rank = 0; rank < ranks; rank++) {
      for (int i = 0; i < each; i++) {
        board.add(round("fold-" + rank, i));
      }
    }
    return board;
  }

  private static Round round(String group, int iteration) {
    Map<String, String> levels = new LinkedHashMap<>();
    levels.put("DEVICE", CheckpointRow.SEALED);
    if (iteration % 5 == 0) {
      levels.put("NODE", CheckpointRow.SEALED);
    }
    if (iteration % 20 == 0) {
      levels.put("STORE", iteration % 100 == 0 ? "failed: disk full" : CheckpointRow.SEALED);
    }
    long atMillis = BEGIN_MILLIS + 700L * iteration;
    return new Round(
        "1",
        atMillis,
        List.of(new RankRow(group, 0, 1, 1, 1_000, Map.of("DEVICE.sealed", 1L))),
        List.of(new CheckpointRow(group, 0, 1, iteration, atMillis, 1 << 20, 2_000_000, levels)),
        List.of(),
        List.of(),
        null,
        Map.of("training", 1_000_000_000L),
        List.of(),
        List.of(),
        List.of(),
        null);
  }

  private static String text(Samples.Quantiles millis) {
    return String.format(
        Locale.ROOT,
        "p50 %.0f ms, p99 %.0f ms, slowest %.0f ms",
        millis.p50(),
        millis.p99(),
        millis.max());
  }

  private static void print(Report report, PrintWriter out) {
    out.printf("%s%n%s%n", report.machine(), report.date());
    out.printf(
        Locale.ROOT,
        "%d checkpoints of %d ranks, page of %s%n",
        report.checkpoints(),
        report.ranks(),
        Units.bytes(report.pageBytes()));
    out.printf(
        Locale.ROOT,
        "first page %.0f ms; all pages %s; processor time %s%n%n",
        report.firstMillis(),
        text(report.pageMillis()),
        text(report.processorMillis()));
    report.bars().forEach(out::println);
  }
}
