package io.cairn.lab.bench.page;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.Samples;
import io.cairn.spark.ui.model.Board;
import io.cairn.spark.ui.model.CheckpointRow;
import io.cairn.spark.ui.model.RankRow;
import io.cairn.spark.ui.model.Round;
import io.cairn.spark.ui.page.Page;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab bench page}: the time of Spark's UI to draw the page of checkpoints. */
@Command(
    name = "page",
    description = {
      "Draw the page \"Checkpoints\" of Spark's UI with as many checkpoints as it keeps, all of"
          + " them listed, and report the time.",
      "Takes some ten seconds."
    })
public final class BenchPageCommand extends Bench {
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

  /** Made by the command line. */
  public BenchPageCommand() {}

  @Override
  protected void measure(BenchReport report) {
    if (ranks < 1 || ranks > 1_000 || rounds < 1 || rounds > 100_000) {
      throw new IllegalArgumentException("--ranks is 1 to 1000, --rounds is 1 to 100000");
    }
    Board board = board();
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    Samples wall = new Samples();
    Samples processor = new Samples();
    double first = 0;
    int bytes = 0;
    for (int i = 0; i < rounds; i++) {
      long start = System.nanoTime();
      long used = thread.getCurrentThreadCpuTime();
      bytes = Page.of(board.view(), true).length();
      long nanos = System.nanoTime() - start;
      wall.add(nanos);
      processor.add(thread.getCurrentThreadCpuTime() - used);
      first = i == 0 ? nanos / 1e6 : first;
    }
    report
        .table("all pages, the first one included, which loads classes and runs uncompiled")
        .row()
        .add("checkpoints", board.view().checkpoints().size())
        .add("ranks", ranks)
        .add("page bytes", bytes)
        .add("first ms", first)
        .quantiles("wall", wall.millis())
        .quantiles("processor", processor.millis());
    report.atMost("slowest page, ms of processor time", processor.millis().max(), MOST_MILLIS);
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
}
