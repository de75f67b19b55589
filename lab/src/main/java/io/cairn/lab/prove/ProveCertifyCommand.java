package io.cairn.lab.prove;

import io.cairn.cli.Progress;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab prove certify}: replays find planted omissions and flipped bits. */
@Command(
    name = "certify",
    description = {
      "Plant forgotten state and flipped bits, and certify the checkpoints by replay.",
      "%nEach of 11 parts of the state is forgotten on 5 ways from one checkpoint to a later one."
          + " 45 trainings have one bit flipped in parameters or updater state, before a capture."
          + " Takes some minutes. Exits with 1 unless every one that changes the checkpoint's bytes"
          + " is caught, and every replay without one is certified."
    })
public final class ProveCertifyCommand extends Bench {
  private static final int WAYS = 5;
  private static final int FLIPS = 45;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of ways, moments and bits (${DEFAULT-VALUE}).")
  private long seed;

  /** Made by the command line. */
  public ProveCertifyCommand() {}

  /** ND4J computes in all trainings. */
  @Override
  protected MeasuredMachine machine() {
    return MeasuredMachine.withNd4j();
  }

  @Override
  protected void measure(BenchReport report) throws IOException {
    List<Omission> omissions = Omission.all();
    int all = omissions.size() * WAYS + FLIPS;
    try (Scratch scratch = Scratch.create();
        Progress progress = Progress.counting("certify", all, "plant")) {
      new CertifyProof(scratch, seed, () -> progress.advance(1))
          .run(omissions, WAYS, ProofCase.all(), FLIPS, report);
    }
  }
}
