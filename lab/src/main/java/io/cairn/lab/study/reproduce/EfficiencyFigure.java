package io.cairn.lab.study.reproduce;

import io.cairn.lab.study.chart.Charts;
import io.cairn.lab.study.chart.Palette;
import io.cairn.lab.study.pattern.TwoLevelOptimum;
import io.cairn.lab.study.pattern.TwoLevelPlatform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.CategoryChart;

/** Figure 13 of the non-blocking paper: efficiency by failures and cost of the shared store. */
final class EfficiencyFigure implements Exhibit {
  static final List<Integer> FACTORS = List.of(1, 2, 10);

  private static final String ID = "figure-13";
  private static final double LEAST_GAIN = 1.1;
  private static final double GREATEST_GAIN = 2.0;
  private static final int WIDTH = 1000;
  private static final int HEIGHT = 480;

  /** One group of bars. */
  private record Group(
      int failures, int cost, TwoLevelOptimum blocking, TwoLevelOptimum nonBlocking) {
    String name() {
      return "F×" + failures + " C×" + cost;
    }

    double gain() {
      return nonBlocking.efficiency() / blocking.efficiency();
    }
  }

  @Override
  public int steps() {
    return FACTORS.size() * FACTORS.size();
  }

  @Override
  public List<Finding> reproduce(Workshop workshop) throws IOException {
    List<Group> groups = new ArrayList<>();
    for (int failures : FACTORS) {
      for (int cost : FACTORS) {
        TwoLevelPlatform platform = workshop.published().staging().scaled(failures, cost);
        groups.add(
            new Group(
                failures,
                cost,
                TwoLevelOptimum.blocking(platform),
                TwoLevelOptimum.nonBlocking(platform)));
        workshop.step();
      }
    }
    String title = "Figure 13: efficiency of blocking and non-blocking checkpoints";
    workshop.pictures().save(ID, chart(title, groups));
    return List.of(
        new Finding(
            ID,
            title,
            workshop.published().source("nonblocking"),
            "Non-blocking checkpoints are the more efficient everywhere, and the more so the more"
                + " often failures come and the slower the shared store is.",
            List.of(ID),
            List.of(table(groups)),
            workshop.compare(ID, stated(groups)),
            workshop.published().notes(ID)));
  }

  private static Map<String, Double> stated(List<Group> groups) {
    return Map.of(
        "cells of nine in which non-blocking is the more efficient",
        (double) groups.stream().filter(each -> each.gain() > 1).count(),
        "cells of nine with a gain of 1.1 to 2.0",
        (double)
            groups.stream()
                .filter(each -> each.gain() >= LEAST_GAIN && each.gain() <= GREATEST_GAIN)
                .count(),
        "efficiency with failures as today at twice the cost of the shared store",
        groups.get(1).nonBlocking().efficiency());
  }

  private static CategoryChart chart(String title, List<Group> groups) {
    CategoryChart chart =
        Charts.bars(
            WIDTH, HEIGHT, title, "failures (F) and cost of the shared store (C)", "efficiency");
    BarStyle.style(chart);
    chart.getStyler().setYAxisMax(1.0);
    List<String> names = groups.stream().map(Group::name).toList();
    BarStyle.add(
        chart,
        "blocking",
        names,
        groups.stream().map(each -> each.blocking().efficiency()).toList(),
        Palette.series(0));
    BarStyle.add(
        chart,
        "non-blocking",
        names,
        groups.stream().map(each -> each.nonBlocking().efficiency()).toList(),
        Palette.series(1));
    return chart;
  }

  private static DataTable table(List<Group> groups) {
    DataTable table =
        new DataTable(
            ID,
            "What the figure shows; the paper's bars are drawn only",
            "failures_factor|F",
            "cost_factor|C",
            "blocking_efficiency|blocking",
            "blocking_segments|segments",
            "blocking_segment_seconds|of (s)",
            "nonblocking_efficiency|non-blocking",
            "nonblocking_segments|segments",
            "nonblocking_segment_seconds|of (s)",
            "nonblocking_flush_segments|flush spans",
            "gain|gain");
    for (Group each : groups) {
      table.row(
          Cell.count(each.failures()),
          Cell.count(each.cost()),
          Cell.number(each.blocking().efficiency()),
          Cell.count(each.blocking().segments()),
          Cell.number(each.blocking().segmentSeconds()),
          Cell.number(each.nonBlocking().efficiency()),
          Cell.count(each.nonBlocking().segments()),
          Cell.number(each.nonBlocking().segmentSeconds()),
          Cell.count(each.nonBlocking().flushSegments()),
          Cell.number(each.gain()));
    }
    return table;
  }
}
