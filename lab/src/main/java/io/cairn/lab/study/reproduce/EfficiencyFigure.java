package io.cairn.lab.study.reproduce;

import io.cairn.lab.measure.FigureTable;
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
    add(workshop, groups);
    return List.of(
        new Finding(
            ID,
            title,
            workshop.published().source("nonblocking"),
            "Non-blocking checkpoints are the more efficient everywhere, and the more so the more"
                + " often failures come and the slower the shared store is.",
            List.of(ID),
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

  private static void add(Workshop workshop, List<Group> groups) {
    FigureTable table =
        workshop.table(ID, "What the figure shows; the paper's bars are drawn only");
    for (Group each : groups) {
      table
          .row()
          .add("failures factor", each.failures())
          .add("cost factor", each.cost())
          .add("blocking efficiency", each.blocking().efficiency())
          .add("blocking segments", each.blocking().segments())
          .add("blocking segment seconds", each.blocking().segmentSeconds())
          .add("nonblocking efficiency", each.nonBlocking().efficiency())
          .add("nonblocking segments", each.nonBlocking().segments())
          .add("nonblocking segment seconds", each.nonBlocking().segmentSeconds())
          .add("nonblocking flush segments", each.nonBlocking().flushSegments())
          .add("gain", each.gain());
    }
  }
}
