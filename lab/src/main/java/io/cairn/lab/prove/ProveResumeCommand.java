package io.cairn.lab.prove;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.Progress;
import io.cairn.cli.Table;
import io.cairn.lab.LabCommand;
import io.cairn.lab.measure.Scratch;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
public final class ProveResumeCommand implements LabCommand {
  @Mixin private JsonOption json = new JsonOption();

  /** Made by the command line. */
  public ProveResumeCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<ProofCase> cases = ProofCase.all();
    List<Omission> omissions = Omission.all();
    ResumeReport report;
    int steps = ResumeProof.comparisons(cases, omissions);
    try (Scratch scratch = Scratch.create();
        Progress progress = Progress.counting("resume", steps, "comparison")) {
      report = new ResumeProof(scratch, () -> progress.advance(1)).run(cases, omissions);
    }
    json.print(report, out -> print(report, out));
    return report.passed() ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private static void print(ResumeReport report, PrintWriter out) {
    out.printf(
        Locale.ROOT, "%s%n%s, in %.0f s%n%n", report.machine(), report.date(), report.seconds());
    List<End> ends = List.of(End.values());
    Table table =
        new Table(
            Stream.concat(
                    Stream.of("network", "updater"),
                    ends.stream().map(end -> end.toString().toLowerCase(Locale.ROOT)))
                .toArray(String[]::new));
    for (ProofCase one : ProofCase.all()) {
      table.row(row(report, one).toArray());
    }
    table.lines().forEach(out::println);
    out.println();
    Table controls = new Table("left out of the restore", "network", "noticed");
    report
        .controls()
        .forEach(one -> controls.row(one.omitted(), one.network(), one.noticed() ? "yes" : "NO"));
    controls.lines().forEach(out::println);
  }

  private static List<String> row(ResumeReport report, ProofCase one) {
    Stream<String> verdicts = Arrays.stream(End.values()).map(end -> report.of(one, end).verdict());
    return Stream.concat(Stream.of(one.network().label(), one.updater().toString()), verdicts)
        .toList();
  }
}
