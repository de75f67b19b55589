package io.cairn.spark.ui.page;

import io.cairn.Level;
import io.cairn.spark.ui.model.BoardView;
import io.cairn.spark.ui.model.PatternRow;
import io.cairn.spark.ui.model.RankView;
import io.cairn.spark.ui.model.RestoreRow;
import io.cairn.spark.ui.model.SealView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The sections about ranks and groups. */
final class RankSections {
  /** Ranks in the table. */
  private static final int MOST_ROWS = 1_000;

  private static final Map<String, String> REASONS =
      Map.of(
          "START", "nothing is measured yet",
          "FIXED", "fixed by the settings",
          "OPTIMUM", "a longer period would waste more",
          "WITHIN", "bound by the permitted age",
          "STALL", "bound by the permitted blocking time",
          "DRAIN", "the level takes no more");

  private RankSections() {}

  static void risk(Html html, BoardView view) {
    Sections.heading(html, "risk", "Work at risk");
    if (view.ranks().isEmpty()) {
      Sections.empty(html, "The work that a failure of each level would lose will appear here.");
      return;
    }
    Sections.empty(
        html,
        "If a level fails now, its ranks go back to the iteration shown, and lose the time shown.");
    List<Level> levels = used(view);
    List<String> headings = new ArrayList<>(List.of("Rank", "Process", "Newest", "Per iteration"));
    levels.forEach(level -> headings.add("failure of " + level));
    HtmlTable table = HtmlTable.begin(html, headings.toArray(String[]::new));
    view.ranks().stream().limit(MOST_ROWS).forEach(rank -> risk(table, rank, levels));
    table.end();
    if (view.ranks().size() > MOST_ROWS) {
      Sections.empty(html, (view.ranks().size() - MOST_ROWS) + " further ranks are left out.");
    }
  }

  /** The levels that hold anything, or that a rank failed to reach. */
  static List<Level> used(BoardView view) {
    return Arrays.stream(Level.values())
        .filter(
            level ->
                view.ranks().stream()
                    .anyMatch(
                        rank ->
                            rank.outcomes().keySet().stream()
                                .anyMatch(outcome -> outcome.startsWith(level + "."))))
        .toList();
  }

  private static void risk(HtmlTable table, RankView rank, List<Level> levels) {
    List<Object> cells = new ArrayList<>();
    cells.add(Sections.name(rank.name()));
    cells.add(rank.process());
    SealView newest = rank.newest();
    cells.add(newest == null ? "–" : newest.iteration());
    cells.add(PageUnits.seconds(rank.iterationSeconds()));
    levels.forEach(level -> cells.add(risk(rank, level)));
    table.row(cells);
  }

  private static String risk(RankView rank, Level level) {
    Optional<SealView> back = rank.rollback(level);
    String lost = PageUnits.seconds(rank.riskSeconds(level));
    return back.map(seal -> seal.iteration() + ", loses " + lost).orElse("start, loses " + lost);
  }

  static void patterns(Html html, BoardView view) {
    Sections.heading(html, "pattern", "Pattern in force");
    if (view.patterns().isEmpty()) {
      Sections.empty(html, "The period of each level and its reason will appear here.");
      return;
    }
    HtmlTable table =
        HtmlTable.begin(
            html,
            "Group",
            "From iteration",
            "Predicted waste",
            "Achieved",
            "Level: period (reason)");
    for (PatternRow row : view.patterns()) {
      table.row(
          row.group().isEmpty() ? "all others" : row.group(),
          row.fromIteration(),
          PageUnits.percent(row.predicted()),
          PageUnits.percent(row.achieved()),
          periods(row));
    }
    table.end();
  }

  private static String periods(PatternRow row) {
    return row.periods().entrySet().stream()
        .map(
            entry -> {
              String reason = row.reasons().getOrDefault(entry.getKey(), "");
              Double within = row.withinSeconds().get(entry.getKey());
              return entry.getKey()
                  + ": every "
                  + (entry.getValue() == 1 ? "iteration" : PageUnits.count(entry.getValue()))
                  + (reason.isEmpty()
                      ? ""
                      : " ("
                          + REASONS.getOrDefault(reason, reason.toLowerCase(Locale.ROOT))
                          + (within == null
                              ? ""
                              : ", at most " + PageUnits.seconds(within) + " old")
                          + ")");
            })
        .collect(Collectors.joining("; "));
  }

  private static String again(RestoreRow row) {
    if (row.lostIterations() <= 0) {
      return "nothing known";
    }
    String iterations =
        PageUnits.count(row.lostIterations())
            + (row.lostIterations() == 1 ? " iteration again" : " iterations again");
    return Double.isNaN(row.lostSeconds())
        ? iterations
        : iterations + ", " + PageUnits.seconds(row.lostSeconds());
  }

  static void restores(Html html, BoardView view) {
    Sections.heading(html, "restores", "Restores");
    if (view.restores().isEmpty()) {
      Sections.empty(html, "Each restore will be listed here, with every copy that it tried.");
      return;
    }
    HtmlTable table =
        HtmlTable.cards(
            html,
            "Time",
            "Rank",
            "Process",
            "From",
            "Done again",
            "Newer copy",
            "Read",
            "Copies tried");
    List<RestoreRow> rows = view.restores();
    for (int i = rows.size() - 1; i >= 0; i--) {
      RestoreRow row = rows.get(i);
      table.row(
          PageUnits.date(row.atMillis()),
          Sections.name(row.name()),
          row.process(),
          "e" + row.epoch() + "-i" + row.iteration() + " at " + row.level(),
          again(row),
          row.newer().isEmpty() ? "no newer copy known" : "newer: " + row.newer(),
          PageUnits.bytes(row.bytes()) + " from " + row.source(),
          String.join("; ", row.attempts()));
    }
    table.end();
  }
}
