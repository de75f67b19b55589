package io.cairn.lab.prove;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Progress;
import io.cairn.cli.Table;
import io.cairn.lab.LabCommand;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
public final class ProveCertifyCommand implements LabCommand {
  private static final int WAYS = 5;
  private static final int FLIPS = 45;

  @Mixin private JsonOption json = new JsonOption();

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of ways, moments and bits (${DEFAULT-VALUE}).")
  private long seed;

  /** Made by the command line. */
  public ProveCertifyCommand() {}

  @Override
  public Integer call() throws IOException {
    List<Omission> omissions = Omission.all();
    int all = omissions.size() * WAYS + FLIPS;
    CertifyReport report;
    try (Scratch scratch = Scratch.create();
        Progress progress = Progress.counting("certify", all, "plant")) {
      report =
          new CertifyProof(scratch, seed, () -> progress.advance(1))
              .run(omissions, WAYS, ProofCase.all(), FLIPS);
    }
    json.print(report, out -> print(report, out));
    return report.passed() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private static void print(CertifyReport report, PrintWriter out) {
    out.printf(
        Locale.ROOT, "%s%n%s, in %.0f s%n%n", report.machine(), report.date(), report.seconds());
    Table kinds = new Table("planted", ">caught", ">without a trace", ">missed");
    report.planted().stream()
        .collect(Collectors.groupingBy(ProveCertifyCommand::kind))
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            kind ->
                kinds.row(
                    kind.getKey(),
                    count(kind.getValue(), CertifyReport.Outcome.CAUGHT),
                    count(kind.getValue(), CertifyReport.Outcome.NO_TRACE),
                    count(kind.getValue(), CertifyReport.Outcome.MISSED)));
    kinds.lines().forEach(out::println);
    out.printf(
        Locale.ROOT,
        "%n%d of %d caught, %d without a trace; %d of %d sound replays certified%n",
        report.count(CertifyReport.Outcome.CAUGHT),
        report.planted().size(),
        report.count(CertifyReport.Outcome.NO_TRACE),
        report.sound(),
        report.sound() + report.alarms());
  }

  private static String kind(CertifyReport.Planted planted) {
    return planted.kind().replaceAll(" after iteration \\d+|, bit \\d+", "");
  }

  private static String count(List<CertifyReport.Planted> of, CertifyReport.Outcome outcome) {
    return Long.toString(of.stream().filter(one -> one.outcome() == outcome).count());
  }
}
