package io.cairn.spark.ui.page;

import io.cairn.Level;
import io.cairn.spark.ui.model.BoardView;
import io.cairn.spark.ui.model.ProcessView;
import io.cairn.spark.ui.model.RankView;
import io.cairn.spark.ui.model.RankView.State;
import io.cairn.spark.ui.model.SealView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Whether each rank runs now, when each level last took a checkpoint of it, and what waits. */
final class RunningSection {
  /** Ranks in the table; those that need somebody come first. */
  private static final int MOST_ROWS = 200;

  /** A rank reports every ten seconds, and iterations may take long. */
  private static final double SILENT_SECONDS = 30;

  private static final double SILENT_ITERATIONS = 10;

  /** Waits of less are usual, and not told. */
  private static final long TOLD_MILLIS = 2_000;

  private final BoardView view;
  private final Map<String, ProcessView> processes = new HashMap<>();

  private RunningSection(BoardView view) {
    this.view = view;
    view.processes().forEach(process -> processes.put(process.process(), process));
  }

  static void write(Html html, BoardView view) {
    Sections.heading(html, "ranks", "Ranks now");
    if (view.ranks().isEmpty()) {
      Sections.empty(html, "Each rank will be listed here: whether it runs, and what waits.");
      return;
    }
    new RunningSection(view).table(html);
  }

  /** How many ranks need somebody. */
  static long troubled(BoardView view) {
    RunningSection section = new RunningSection(view);
    return view.ranks().stream().filter(section::needsSomebody).count();
  }

  private void table(Html html) {
    List<Level> levels = RankSections.used(view);
    HtmlTable table =
        HtmlTable.cards(
            html, "Rank", "State", "Process", "Newest", "Newest at each level, captured", "Waits");
    view.ranks().stream()
        .sorted(Comparator.comparingInt(this::order).thenComparing(RankView::name))
        .limit(MOST_ROWS)
        .forEach(rank -> table.row(style(rank), cells(rank, levels)));
    table.end();
    if (view.ranks().size() > MOST_ROWS) {
      Sections.empty(html, (view.ranks().size() - MOST_ROWS) + " further ranks are left out.");
    }
  }

  /** First the ranks that need somebody, and last those that have left. */
  private int order(RankView rank) {
    return switch (state(rank)) {
      case PROCESS_GONE -> 0;
      case RUNS -> isSilent(rank) ? 1 : 2;
      case LEFT, UNKNOWN -> 3;
    };
  }

  private boolean needsSomebody(RankView rank) {
    return order(rank) < 2;
  }

  private String style(RankView rank) {
    return needsSomebody(rank) ? "cairn-bad" : order(rank) == 2 ? "cairn-runs" : "cairn-over";
  }

  /** A log of an earlier version does not say which ranks run. */
  private State state(RankView rank) {
    boolean gone = process(rank).isGone();
    return rank.state() == State.UNKNOWN && gone ? State.PROCESS_GONE : rank.state();
  }

  private ProcessView process(RankView rank) {
    return processes.getOrDefault(
        rank.process(), new ProcessView(rank.process(), "", null, Map.of(), 0, 0, ""));
  }

  private boolean isSilent(RankView rank) {
    double usual = Double.isNaN(rank.iterationSeconds()) ? 0 : rank.iterationSeconds();
    return since(rank.progressMillis()) > Math.max(SILENT_SECONDS, SILENT_ITERATIONS * usual);
  }

  private double since(long millis) {
    return Math.max(0, view.nowMillis() - millis) / 1e3;
  }

  private String ago(long millis) {
    return PageUnits.age(since(millis)) + " ago";
  }

  private List<Object> cells(RankView rank, List<Level> levels) {
    List<Object> cells = new ArrayList<>();
    cells.add(Sections.name(rank.name()));
    cells.add(told(rank));
    ProcessView process = process(rank);
    cells.add(rank.process() + (process.host().isEmpty() ? "" : " on " + process.host()));
    SealView newest = rank.newest();
    cells.add(newest == null ? "–" : "iteration " + newest.iteration());
    cells.add(levels.stream().map(level -> seal(rank, level)).collect(Collectors.joining("; ")));
    cells.add(waits(rank, levels));
    return cells;
  }

  private String told(RankView rank) {
    String progress =
        rank.progressMillis() == 0 ? "" : "last progress " + ago(rank.progressMillis());
    String silence = "no progress for " + PageUnits.age(since(rank.progressMillis()));
    return switch (state(rank)) {
      case RUNS -> isSilent(rank) ? silence : "runs, " + progress;
      case PROCESS_GONE -> {
        long gone = Math.max(rank.stateMillis(), process(rank).goneMillis());
        yield "no process since " + PageUnits.clock(gone) + ", " + ago(gone);
      }
      case LEFT -> "has left at " + PageUnits.clock(rank.stateMillis());
      case UNKNOWN -> progress.isEmpty() ? "–" : progress;
    };
  }

  private String seal(RankView rank, Level level) {
    SealView seal = rank.seals().get(level.name());
    return level
        + (seal == null ? ": none" : ": " + seal.iteration() + ", " + ago(seal.capturedMillis()));
  }

  private String waits(RankView rank, List<Level> levels) {
    StringBuilder text = new StringBuilder();
    for (Level level : levels) {
      Long since = rank.waitingSinceMillis().get(level.name());
      if (since != null && view.nowMillis() - since > TOLD_MILLIS) {
        text.append(text.isEmpty() ? "waits for " : "; for ").append(level).append(" since ");
        text.append(PageUnits.clock(since)).append(", ").append(PageUnits.age(since(since)));
      }
    }
    return text.isEmpty() ? "nothing waits" : text.toString();
  }
}
