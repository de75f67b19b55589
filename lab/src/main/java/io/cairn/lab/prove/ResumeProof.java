package io.cairn.lab.prove;

import io.cairn.Cairn;
import io.cairn.Digest;
import io.cairn.cli.LocalTree;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Compares trainings that end and resume with undisturbed ones, and runs the controls. Not
 * thread-safe.
 */
final class ResumeProof {
  /**
   * A training that ended and resumed.
   *
   * @param from iteration of the checkpoint that the second part resumed from; -1 if there was none
   * @param identical whether parameters and updater state ended bit for bit as without the end
   */
  record Compared(ProofCase one, End end, long from, boolean identical) {
    /** Whether it resumed from a checkpoint, and ended as it should. */
    boolean proven() {
      return identical && from >= 0;
    }
  }

  /**
   * A restore without one part of the state.
   *
   * @param omitted the part
   * @param noticed whether the comparison found a difference
   */
  record Control(String omitted, ProofCase one, boolean noticed) {}

  private final Scratch scratch;
  private final Runnable each;

  /**
   * A proof.
   *
   * @param scratch for checkpoints
   * @param each called after each comparison
   */
  ResumeProof(Scratch scratch, Runnable each) {
    this.scratch = scratch;
    this.each = each;
  }

  /** The number of comparisons that {@link #run} makes. */
  static int comparisons(List<ProofCase> cases, List<Omission> omissions) {
    return ends(cases) + restores(omissions);
  }

  private static int ends(List<ProofCase> cases) {
    return cases.size() * End.values().length;
  }

  /** One for each omission, and one with a constraint. */
  private static int restores(List<Omission> omissions) {
    return omissions.size() + 1;
  }

  /** Runs all ends of all cases, then the controls. */
  void run(List<ProofCase> cases, List<Omission> omissions, BenchReport report)
      throws IOException, InterruptedException {
    List<Compared> compared = new ArrayList<>();
    Map<ProofCase, Digest> undisturbed = new LinkedHashMap<>();
    for (ProofCase one : cases) {
      undisturbed.put(one, ProofTraining.of(one).undisturbed());
      compared.addAll(inThisProcess(one, Objects.requireNonNull(undisturbed.get(one))));
    }
    compared.addAll(killed(undisturbed));
    add(report, cases, omissions, compared, controls(omissions));
  }

  /**
   * Adds all findings.
   *
   * @param cases each of which must be proven at all ends
   * @param omissions each of which must be noticed
   * @param compared what was found of the cases
   * @param controls what was found of the omissions
   */
  static void add(
      BenchReport report,
      List<ProofCase> cases,
      List<Omission> omissions,
      List<Compared> compared,
      List<Control> controls) {
    FigureTable ended =
        report.table(
            "trainings that ended and resumed: whether they are identical to undisturbed ones, bit"
                + " for bit, and the iteration of the checkpoint that they resumed from");
    Map<ProofCase, FigureTable.Row> rows = new LinkedHashMap<>();
    for (Compared found : compared) {
      String end = found.end().toString().toLowerCase(Locale.ROOT);
      rows.computeIfAbsent(found.one(), one -> row(ended, one))
          .add(end + " identical", found.identical())
          .add(end + " from", found.from() < 0 ? null : found.from());
    }
    FigureTable restored =
        report.table("restores that leave one part of the state out, which differ");
    for (Control control : controls) {
      row(restored, control.one())
          .add("left out", control.omitted())
          .add("noticed", control.noticed());
    }
    report.atLeast(
        "cases that resumed bit for bit",
        (double) compared.stream().filter(Compared::proven).count(),
        ends(cases));
    report.atLeast(
        "omissions that were noticed",
        (double) controls.stream().filter(Control::noticed).count(),
        restores(omissions));
  }

  private static FigureTable.Row row(FigureTable table, ProofCase one) {
    return table
        .row()
        .add("network", one.network().label())
        .add("updater", one.updater().toString());
  }

  /** The ends that a process survives. */
  List<Compared> inThisProcess(ProofCase one, Digest undisturbed) throws IOException {
    ProofTraining training = ProofTraining.of(one);
    List<Compared> found = new ArrayList<>();
    for (End end : List.of(End.RETURN, End.EXCEPTION)) {
      String name = one + "-" + end;
      try (Cairn cairn = ProofStore.open(scratch.inMemory(name))) {
        if (end == End.RETURN) {
          training.untilReturn(cairn);
        } else {
          training.untilException(cairn);
        }
        found.add(compared(one, end, training.resumed(cairn), undisturbed));
      }
      LocalTree.delete(scratch.inMemory(name));
      each.run();
    }
    return found;
  }

  private List<Compared> killed(Map<ProofCase, Digest> undisturbed)
      throws IOException, InterruptedException {
    if (undisturbed.isEmpty()) {
      return List.of();
    }
    Map<ProofCase, ProofTraining.Resumed> ended =
        KilledTrainings.run(scratch.inMemory("killed"), List.copyOf(undisturbed.keySet()), each);
    return undisturbed.entrySet().stream()
        .map(
            expected ->
                compared(
                    expected.getKey(),
                    End.SIGKILL,
                    Objects.requireNonNull(ended.get(expected.getKey())),
                    expected.getValue()))
        .toList();
  }

  private static Compared compared(
      ProofCase one, End end, ProofTraining.Resumed resumed, Digest undisturbed) {
    return new Compared(one, end, resumed.from(), resumed.digest().equals(undisturbed));
  }

  /** Each control in directories of its own. */
  List<Control> controls(List<Omission> omissions) throws IOException {
    List<Control> found = new ArrayList<>();
    for (Omission omission : omissions) {
      found.add(
          control(omission.label(), omission.trained(), new ControlTraining(omission)::noticed));
    }
    found.add(
        control(ConstraintControl.LABEL, ConstraintControl.TRAINED, ConstraintControl::noticed));
    return found;
  }

  private Control control(String label, ProofCase one, Predicate<Cairn> noticed)
      throws IOException {
    Path directory = scratch.inMemory("control");
    boolean difference;
    try (Cairn cairn = ProofStore.open(directory)) {
      difference = noticed.test(cairn);
    }
    LocalTree.delete(directory);
    each.run();
    return new Control(label, one, difference);
  }
}
