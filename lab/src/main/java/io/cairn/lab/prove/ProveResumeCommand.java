package io.cairn.lab.prove;

import io.cairn.cli.Progress;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code cairn-lab prove resume}: trainings of all kinds resume bit for bit. */
@Command(
    name = "resume",
    description = {
      "Train networks that end and resume, and compare them bit for bit with undisturbed ones.",
      "%nEach network is trained with each updater, and ends in three ways: by a return after one"
          + " of three epochs, by an exception in the middle of an epoch, and by SIGKILL there."
          + " Controls leave one part of the state out of the restore, and must differ. Takes one"
          + " to five minutes. Exits with 1 unless all cases are identical and all controls differ."
    })
public final class ProveResumeCommand extends Bench {
  /** Made by the command line. */
  public ProveResumeCommand() {}

  /** ND4J computes in all trainings. */
  @Override
  protected MeasuredMachine machine() {
    return MeasuredMachine.withNd4j();
  }

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    List<ProofCase> cases = ProofCase.all();
    List<Omission> omissions = Omission.all();
    int steps = ResumeProof.comparisons(cases, omissions);
    try (Scratch scratch = Scratch.create();
        Progress progress = Progress.counting("resume", steps, "comparison")) {
      new ResumeProof(scratch, () -> progress.advance(1)).run(cases, omissions, report);
    }
  }
}
