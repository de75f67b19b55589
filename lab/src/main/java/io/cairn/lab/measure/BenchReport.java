package io.cairn.lab.measure;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The findings of a benchmark or a proof: tables of figures, and the bars that some of them must
 * meet, with command, date, machine and load. Text, JSON and page show the same. Not thread-safe.
 */
public final class BenchReport {
  private static final String QUICK = "A quick run: too short to rely on, and held against no bar.";

  private final String command;
  private final String date = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  private final double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  private final List<String> notes = new ArrayList<>();
  private final long beganNanos = System.nanoTime();
  private final List<FigureTable> tables = new ArrayList<>();
  private final List<FigureTable> data = new ArrayList<>();
  private final List<Bar> bars = new ArrayList<>();
  private MeasuredMachine machine = MeasuredMachine.current();
  private double seconds;
  private boolean quick;

  /** A report that begins now. */
  public BenchReport(String command) {
    this.command = command;
  }

  /** The measurement ends now. */
  void end(MeasuredMachine ranOn) {
    machine = ranOn;
    seconds = (System.nanoTime() - beganNanos) / 1e9;
  }

  /**
   * Adds a sentence that belongs to no table.
   *
   * @param sentence formatted with {@code arguments}, if there are any
   */
  public void note(String sentence, Object... arguments) {
    notes.add(formatted(sentence, arguments));
  }

  static String formatted(String text, Object... arguments) {
    return arguments.length == 0 ? text : String.format(Locale.ROOT, text, arguments);
  }

  /**
   * Adds a table.
   *
   * @param over what its figures are over: sizes, rounds, and which of them count; formatted with
   *     {@code arguments}, if there are any
   */
  public FigureTable table(String over, Object... arguments) {
    FigureTable table = new FigureTable(formatted(over, arguments));
    tables.add(table);
    return table;
  }

  /** Adds a table that is too long for people: JSON alone has it. */
  public FigureTable data(String over) {
    FigureTable table = new FigureTable(over);
    data.add(table);
    return table;
  }

  /** Adds a figure that must not exceed a limit. */
  public void atMost(String name, double value, double limit) {
    bars.add(Bar.atMost(name, value, limit));
  }

  /** Adds a figure that must reach a limit. */
  public void atLeast(String name, double value, double limit) {
    bars.add(Bar.atLeast(name, value, limit));
  }

  /** Adds a condition, as a figure that is 1 or 0. */
  public void holds(String name, boolean holds) {
    atLeast(name, holds ? 1 : 0, 1);
  }

  /** The run was too short to rely on: its bars judge nothing. */
  public void quick() {
    quick = true;
  }

  /** The tables, in their order. */
  public List<FigureTable> tables() {
    return List.copyOf(tables);
  }

  /** The bars, in their order. */
  public List<Bar> bars() {
    return List.copyOf(bars);
  }

  /** Whether all bars are met, or the run was too short to judge. */
  public boolean passed() {
    return quick || bars.stream().allMatch(Bar::met);
  }

  /** The report as JSON has it. */
  public Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("command", command);
    json.put("date", date);
    json.put("machine", machine);
    json.put("loadBefore", load);
    json.put("seconds", seconds);
    json.put("quick", quick);
    json.put("notes", notes);
    json.put("tables", tables.stream().map(FigureTable::json).toList());
    json.put("data", data.stream().map(FigureTable::json).toList());
    json.put("bars", bars);
    return json;
  }

  /** The report for a terminal. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(machine.toString(), began()));
    lines.addAll(notes);
    for (FigureTable table : shown()) {
      lines.add("");
      lines.addAll(table.lines());
    }
    if (quick) {
      lines.addAll(List.of("", QUICK));
    }
    return lines;
  }

  /** The report as a page of {@code docs/benchmarks}. */
  public String page() {
    StringBuilder page = new StringBuilder();
    page.append("# `bin/").append(command).append("`\n\n");
    page.append("- machine: ").append(machine).append('\n');
    page.append("- date: ").append(began()).append('\n');
    notes.forEach(note -> page.append("- ").append(note).append('\n'));
    shown().forEach(table -> page.append('\n').append(table.markdown()));
    return quick ? page + "\n" + QUICK + "\n" : page.toString();
  }

  private String began() {
    return String.format(Locale.ROOT, "%s, at a load of %.1f, in %.0f s", date, load, seconds);
  }

  /** The tables that have rows, and that of the bars. */
  private List<FigureTable> shown() {
    List<FigureTable> shown = new ArrayList<>(tables);
    if (!quick) {
      FigureTable judged = new FigureTable("bars");
      for (Bar bar : bars) {
        judged
            .row()
            .add("bar", bar.name())
            .add("found", bar.found())
            .add("limit", bar.required())
            .add("", bar.met() ? "met" : "NOT MET");
      }
      shown.add(judged);
    }
    shown.removeIf(FigureTable::isEmpty);
    return shown;
  }
}
