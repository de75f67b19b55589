package io.cairn.lab.study.adjoint;

import io.cairn.adjoint.schedule.Action;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Tier;
import io.cairn.lab.study.chart.Charts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.XYChart;

/**
 * A schedule over time: the program as a line that rises while it runs forward and falls while it
 * reverses, and each kept state as a level line from its write to its end. A step forward and a
 * reversal take one unit of time.
 */
final class ScheduleChart {
  private final Trail forward = new Trail();
  private final Trail backward = new Trail();
  private final List<Trail> tiers = new ArrayList<>();
  private final List<Map<Long, Long>> since = new ArrayList<>();
  private long now;

  private ScheduleChart(int tiers) {
    for (int i = 0; i < tiers; i++) {
      this.tiers.add(new Trail());
      since.add(new HashMap<>());
    }
  }

  /** Draws all actions. */
  static XYChart of(String title, Schedule schedule) {
    ScheduleChart chart = new ScheduleChart(schedule.tiers().size());
    schedule.actions().forEachRemaining(chart::act);
    return chart.chart(title, schedule.tiers());
  }

  private void act(Action action) {
    if (action instanceof Action.Forward run) {
      if (run.restart()) {
        since.get(run.tier()).put(run.from(), now);
      }
      long end = now + run.to() - run.from();
      forward.add(now, run.from(), end, run.to());
      now = end;
    } else if (action instanceof Action.Reverse reverse) {
      backward.add(now, reverse.step() + 1, now + 1, reverse.step());
      now++;
    } else if (action instanceof Action.Move move) {
      end(move.step(), move.tier());
    } else if (action instanceof Action.Delete delete) {
      end(delete.step(), delete.tier());
    }
  }

  private void end(long step, int tier) {
    Long start = since.get(tier).remove(step);
    if (start != null) {
      tiers.get(tier).add(start, step, now, step);
    }
  }

  private XYChart chart(String title, List<Tier> named) {
    XYChart chart = Charts.xy(title, "time (steps)", "state");
    forward.draw(chart, "forward");
    backward.draw(chart, "reversal");
    for (int i = 0; i < tiers.size(); i++) {
      tiers.get(i).draw(chart, "kept on " + named.get(i).name());
    }
    return chart;
  }

  /** Lines of one kind. */
  private static final class Trail {
    private final List<Double> x = new ArrayList<>();
    private final List<Double> y = new ArrayList<>();

    void add(long fromX, long fromY, long toX, long toY) {
      x.addAll(List.of((double) fromX, (double) toX, (double) toX));
      y.addAll(List.of((double) fromY, (double) toY, Double.NaN)); // a gap
    }

    void draw(XYChart chart, String name) {
      if (!x.isEmpty()) {
        Charts.line(chart, name, numbers(x), numbers(y));
      }
    }

    private static double[] numbers(List<Double> of) {
      return of.stream().mapToDouble(Double::doubleValue).toArray();
    }
  }
}
