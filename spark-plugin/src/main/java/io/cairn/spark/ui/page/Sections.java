package io.cairn.spark.ui.page;

import io.cairn.Level;
import io.cairn.core.goodput.Cause;
import io.cairn.core.model.LevelSpec;
import io.cairn.spark.ui.model.AlarmRow;
import io.cairn.spark.ui.model.BoardView;
import io.cairn.spark.ui.model.RankName;
import io.cairn.spark.ui.model.RankView;
import io.cairn.spark.ui.page.StackedBar.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The sections about the whole application. */
final class Sections {
  private Sections() {}

  static void heading(Html html, String id, String title) {
    html.leaf("h4", title, "id", id);
  }

  static void empty(Html html, String future) {
    html.leaf("p", future, "class", "cairn-empty");
  }

  static String name(RankName rank) {
    return rank.group() + " · " + rank.rank();
  }

  static void figures(Html html, BoardView view) {
    if (view.isEmpty()) {
      empty(
          html, "No rank has joined yet. Figures appear some seconds after its first checkpoint.");
      return;
    }
    Map<String, Long> nanos = view.goodputNanos();
    long all = nanos.values().stream().mapToLong(Long::longValue).sum();
    long training = nanos.getOrDefault(Cause.TRAINING.label(), 0L);
    html.open("div", "class", "cairn-figures");
    long captures = view.ranks().stream().mapToLong(RankView::captures).sum();
    long left =
        view.ranks().stream()
            .mapToLong(rank -> rank.outcomes().getOrDefault(RankView.NOT_CAPTURED, 0L))
            .sum();
    long open = view.alarms().stream().filter(AlarmRow::isOpen).count();
    trouble(html, open, "open alarms");
    trouble(html, RunningSection.troubled(view), "ranks without process or progress");
    figure(html, PageUnits.percent((double) training / all), "of the ranks' time counts (ETTR)");
    figure(html, PageUnits.count(view.ranks().size()), "ranks");
    figure(html, PageUnits.count(captures), "checkpoints captured");
    figure(
        html,
        PageUnits.percent((double) captures / (captures + left)),
        "of the iterations captured");
    for (LevelSpec spec : LevelSpec.ALL) {
      if (spec.always() && spec.isBelowDevice()) {
        figure(html, PageUnits.count(sealed(view, spec.level())), "sealed at " + spec.level());
      }
    }
    figure(html, PageUnits.count(view.restored()), "restores");
    figure(html, PageUnits.count(view.gone()), "executors gone");
    figure(
        html,
        PageUnits.date(view.atMillis()),
        "newest figures (UTC), "
            + PageUnits.age((view.nowMillis() - view.atMillis()) / 1e3)
            + " before this page");
    html.close();
  }

  private static long sealed(BoardView view, Level level) {
    return view.ranks().stream().mapToLong(rank -> rank.count(level, "sealed")).sum();
  }

  private static void trouble(Html html, long count, String meaning) {
    html.open("div", "class", count > 0 ? "cairn-bad" : "cairn-good")
        .leaf("b", PageUnits.count(count))
        .leaf("span", meaning)
        .close();
  }

  private static void figure(Html html, String figure, String meaning) {
    html.open("div").leaf("b", figure).leaf("span", meaning).close();
  }

  static void alarms(Html html, BoardView view) {
    heading(html, "alarms", "Alarms");
    if (view.alarms().isEmpty()) {
      empty(
          html,
          "None. Stale data, bad copies, overload, lost checkpoints and stragglers will appear"
              + " here.");
      return;
    }
    long open = view.alarms().stream().filter(AlarmRow::isOpen).count();
    if (open == 0) {
      empty(html, "None is open.");
    }
    html.open("div", "class", open > 0 ? "cairn-alarm" : "cairn-over");
    HtmlTable table =
        HtmlTable.cards(
            html, "State", "Alarm", "Where", "Times", "Since", "Until", "Newest reason");
    for (AlarmRow alarm : view.alarms()) {
      table.row(
          alarm.isOpen() ? "cairn-bad" : "cairn-over",
          List.of(
              alarm.isOpen() ? "open" : "over",
              alarm.kind(),
              alarm.place(),
              PageUnits.count(alarm.count()) + " ×",
              PageUnits.date(alarm.firstMillis()),
              alarm.isOpen() ? "until now" : PageUnits.date(alarm.overMillis()),
              alarm.text()));
    }
    table.end();
    html.close();
  }

  static void goodput(Html html, BoardView view) {
    heading(html, "goodput", "Goodput by cause");
    Map<String, Long> nanos = view.goodputNanos();
    double all = nanos.values().stream().mapToLong(Long::longValue).sum();
    if (all <= 0) {
      empty(html, "The ranks' time will be attributed to its causes here.");
      return;
    }
    List<Part> parts = new ArrayList<>();
    Map<String, String> colors = new LinkedHashMap<>();
    for (Cause cause : Cause.values()) {
      long time = nanos.getOrDefault(cause.label(), 0L);
      if (time > 0) {
        String text =
            "%s %s, %s"
                .formatted(
                    cause.label(), PageUnits.seconds(time / 1e9), PageUnits.percent(time / all));
        parts.add(new Part(text, time, Colors.of(cause)));
        colors.put(text, Colors.of(cause));
      }
    }
    StackedBar.draw(html, parts);
    Colors.legend(html, colors);
  }
}
