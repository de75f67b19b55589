package io.cairn.spark.ui.model;

import io.cairn.core.goodput.Cause;
import io.cairn.spark.ui.model.PlanRow.SiteRow;
import io.cairn.spark.ui.model.PlanRow.TransferRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rounds of a made-up application, in which everything happens. */
public final class MadeUpRounds {
  /** The time of the first round. */
  public static final long BEGIN = 1_790_000_000_000L;

  private MadeUpRounds() {}

  /** A round that has nothing but these. */
  public static Round round(
      String process, long atMillis, List<RankRow> ranks, List<CheckpointRow> rows) {
    return new Round(
        process, atMillis, ranks, rows, List.of(), List.of(), null, Map.of(), List.of(), List.of(),
        List.of(), null);
  }

  /** A checkpoint that was captured so many seconds after the beginning. */
  public static CheckpointRow row(
      String group, int rank, long iteration, double seconds, Map<String, String> levels) {
    return new CheckpointRow(
        group, rank, 1, iteration, BEGIN + (long) (1e3 * seconds), 1 << 20, 1_000_000, levels);
  }

  /** The outcomes of an iteration if NODE is due every fifth, and STORE every twentieth. */
  static Map<String, String> levels(long iteration) {
    Map<String, String> levels = new LinkedHashMap<>();
    levels.put("DEVICE", CheckpointRow.SEALED);
    if (iteration % 5 == 0) {
      levels.put("NODE", CheckpointRow.SEALED);
    }
    if (iteration % 20 == 0) {
      levels.put("STORE", iteration % 60 == 40 ? "failed: disk full" : CheckpointRow.SEALED);
    }
    return levels;
  }

  /** A board with so many checkpoints of each of these ranks, and one of everything else. */
  public static Board board(int ranks, int checkpoints) {
    Board board = new Board();
    board.began(0);
    for (int rank = 0; rank < ranks; rank++) {
      board.started(Integer.toString(rank), "machine-" + rank / 2);
      List<CheckpointRow> rows = new ArrayList<>();
      for (int i = 0; i < checkpoints; i++) {
        rows.add(row("fold-" + rank, 0, i, i * 0.7 + rank * 0.1, levels(i)));
      }
      RankRow counts =
          new RankRow(
              "fold-" + rank,
              0,
              1,
              checkpoints,
              5_000_000,
              Map.of("STORE.sealed", 3L, "NODE.sealed", 7L, "DEVICE.sealed", 9L));
      for (int from = 0; from < rows.size(); from += 1_000) {
        board.add(
            round(
                Integer.toString(rank),
                BEGIN + 1_000,
                from == 0 ? List.of(counts) : List.of(),
                rows.subList(from, Math.min(from + 1_000, rows.size()))));
      }
    }
    board.add(everythingElse());
    board.gone("1", BEGIN + 20_000, "lost for a test");
    return board;
  }

  /** A round with one of everything but checkpoints. */
  public static Round everythingElse() {
    Map<String, Long> goodput = new LinkedHashMap<>();
    long seconds = 20;
    for (Cause cause : Cause.values()) {
      goodput.put(cause.label(), 1_000_000_000L * seconds);
      seconds -= 2;
    }
    return new Round(
        "0",
        BEGIN + 60_000,
        List.of(),
        List.of(),
        List.of(
            new RestoreRow(
                BEGIN + 27_000,
                "0",
                "fold-0",
                0,
                1,
                25,
                "NODE",
                "machine-0:/node",
                1 << 20,
                List.of("e1-i25 at NODE: used"),
                0,
                Double.NaN,
                "")),
        List.of(
            new AlarmRow(
                "freshness", "fold-0 rank 0", 2, BEGIN, BEGIN + 9_000, "the same bytes", 0)),
        new CacheRow(10, 4, 6, 1, 4 << 20),
        goodput,
        List.of(
            new PatternRow(
                "",
                0,
                Map.of("DEVICE", 1L, "NODE", 5L),
                Map.of("NODE", "WITHIN"),
                Map.of("NODE", 30.0),
                0.013,
                Double.NaN)),
        List.of(plan()),
        List.of(new MeasuredRow("fold-0", 0, "e1-i25", "0", 12 << 20, 0.034)),
        null);
  }

  private static PlanRow plan() {
    return new PlanRow(
        BEGIN + 30_000,
        "job/fold-0 e1-i25",
        List.of(
            new SiteRow("0", "machine-0", 0, 12 << 20, 0),
            new SiteRow("1", "machine-0", 1, 0, 8 << 20),
            new SiteRow("2", "machine-1", 0, 0, 64 << 20)),
        List.of(
            new TransferRow(0, 1, 8 << 20, 0.004),
            new TransferRow(0, 2, 3 << 20, 0.004),
            new TransferRow(0, -1, 1 << 20, 0.004)),
        0.004);
  }
}
