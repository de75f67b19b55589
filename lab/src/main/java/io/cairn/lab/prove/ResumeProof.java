package io.cairn.lab.prove;

import io.cairn.Cairn;
import io.cairn.Digest;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Compares trainings that end and resume with undisturbed ones, and runs the controls. Not
 * thread-safe.
 */
final class ResumeProof {
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
    return cases.size() * End.values().length + omissions.size() + 1;
  }

  /** Runs all ends of all cases, then the controls. */
  ResumeReport run(List<ProofCase> cases, List<Omission> omissions)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    List<ResumeReport.Compared> compared = new ArrayList<>();
    Map<ProofCase, Digest> undisturbed = new LinkedHashMap<>();
    for (ProofCase one : cases) {
      undisturbed.put(one, ProofTraining.of(one).undisturbed());
      compared.addAll(inThisProcess(one, Objects.requireNonNull(undisturbed.get(one))));
    }
    compared.addAll(killed(undisturbed));
    List<ResumeReport.Control> controls = controls(omissions);
    return new ResumeReport(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        MeasuredMachine.withNd4j(),
        (System.nanoTime() - begun) / 1e9,
        compared,
        controls);
  }

  /** The ends that a process survives. */
  List<ResumeReport.Compared> inThisProcess(ProofCase one, Digest undisturbed) throws IOException {
    ProofTraining training = ProofTraining.of(one);
    List<ResumeReport.Compared> found = new ArrayList<>();
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
      Scratch.delete(scratch.inMemory(name));
      each.run();
    }
    return found;
  }

  private List<ResumeReport.Compared> killed(Map<ProofCase, Digest> undisturbed)
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

  private static ResumeReport.Compared compared(
      ProofCase one, End end, ProofTraining.Resumed resumed, Digest undisturbed) {
    return new ResumeReport.Compared(
        one.network().label(),
        one.updater(),
        end,
        resumed.from(),
        resumed.digest().equals(undisturbed));
  }

  /** Each control in directories of its own. */
  List<ResumeReport.Control> controls(List<Omission> omissions) throws IOException {
    List<ResumeReport.Control> found = new ArrayList<>();
    for (Omission omission : omissions) {
      found.add(
          control(omission.label(), omission.trained(), new ControlTraining(omission)::noticed));
    }
    found.add(
        control(ConstraintControl.LABEL, ConstraintControl.TRAINED, ConstraintControl::noticed));
    return found;
  }

  private ResumeReport.Control control(String label, ProofCase one, Predicate<Cairn> noticed)
      throws IOException {
    Path directory = scratch.inMemory("control");
    boolean difference;
    try (Cairn cairn = ProofStore.open(directory)) {
      difference = noticed.test(cairn);
    }
    Scratch.delete(directory);
    each.run();
    return new ResumeReport.Control(label, one.network().label(), one.updater(), difference);
  }
}
