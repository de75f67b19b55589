package io.cairn.lab.study.schedule;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.Lines;
import io.cairn.cli.WritableDirectory;
import io.cairn.cli.WritableFile;
import io.cairn.core.flow.FlowOutcome;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.Infeasible;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.TransferPlan;
import io.cairn.lab.LabCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab schedule}: a plan for each problem of a file, line by line. */
@Command(
    name = "schedule",
    hidden = true,
    description = {
      "Decide where remainders go: a plan, and its proof, for each problem of a file.",
      "Reads and writes one JSON object per line."
    })
public final class ScheduleCommand implements LabCommand {
  private static final Path STANDARD = Path.of("-");

  @Option(
      names = "--algorithm",
      defaultValue = "exact",
      paramLabel = "NAME",
      description = "One of ${COMPLETION-CANDIDATES}; by default ${DEFAULT-VALUE}.")
  private Algorithm algorithm = Algorithm.EXACT;

  @Option(
      names = "--lexicographic",
      description = "Finish each sender as early as the later ones allow (exact only).")
  private boolean lexicographic;

  @Option(names = "--chunked", description = "Send whole chunks only (as min-time always does).")
  private boolean chunked;

  @Option(
      names = "--input",
      defaultValue = "-",
      paramLabel = "FILE",
      description = "The problems; '-', the default, is standard input.")
  private Path input = STANDARD;

  @Option(
      names = "--output",
      defaultValue = "-",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "The plans; '-', the default, is standard output.")
  private Path output = STANDARD;

  @Option(
      names = "--picture",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      description = "Draw each plan as an SVG in this directory.")
  private @Nullable Path pictures;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    FlowScheduler scheduler = scheduler();
    refuseOverwritingTheInput();
    if (output.equals(STANDARD)) {
      return solveAll(scheduler, spec.commandLine().getOut());
    }
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(output))) {
      return solveAll(scheduler, out);
    }
  }

  private int solveAll(FlowScheduler scheduler, PrintWriter out) throws IOException {
    try (Lines lines = new Lines(openInput())) {
      PlanGallery gallery = pictures == null ? null : new PlanGallery(pictures);
      OutcomeWriter writer = new OutcomeWriter(out);
      boolean allGood = true;
      while (lines.next()) {
        allGood &= solve(lines, scheduler, writer, gallery);
      }
      return allGood ? ExitCodes.GOOD : ExitCodes.BAD;
    }
  }

  /** Whether the line was one that can be solved, or blank. */
  private boolean solve(
      Lines lines, FlowScheduler scheduler, OutcomeWriter writer, @Nullable PlanGallery gallery)
      throws IOException {
    ProblemDraft draft = new ProblemDraft();
    FlowProblem problem;
    FlowOutcome outcome;
    long start;
    try {
      if (!ProblemJson.read(lines.line(), draft)) {
        return true;
      }
      problem = draft.problem();
      start = System.nanoTime();
      outcome = scheduler.schedule(problem);
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage()).strip();
      writer.error(lines.number(), draft.id, reason);
      warn("line " + lines.number() + name(draft.id) + ": " + reason);
      return false;
    }
    long nanos = System.nanoTime() - start;
    if (outcome instanceof TransferPlan plan) {
      writer.plan(draft.id, problem.devices(), plan, nanos);
      if (gallery != null && !gallery.add(lines.number(), draft.id, algorithm, problem, plan)) {
        warn("line " + lines.number() + name(draft.id) + " not drawn: " + PlanGallery.LIMIT);
      }
    } else if (outcome instanceof Infeasible none) {
      writer.infeasible(draft.id, none, nanos);
    }
    return true;
  }

  private FlowScheduler scheduler() {
    if (lexicographic && algorithm != Algorithm.EXACT) {
      throw new ParameterException(
          spec.commandLine(), "--lexicographic goes with --algorithm exact, not " + algorithm);
    }
    return lexicographic
        ? new ParametricFlowScheduler(chunked, true)
        : algorithm.scheduler(chunked);
  }

  private void refuseOverwritingTheInput() throws IOException {
    if (!input.equals(STANDARD)
        && !output.equals(STANDARD)
        && Files.exists(output)
        && Files.isSameFile(input, output)) {
      throw new IllegalArgumentException("--input and --output are both " + output);
    }
  }

  private InputStream openInput() throws IOException {
    return input.equals(STANDARD) ? System.in : Files.newInputStream(input);
  }

  private static String name(@Nullable String id) {
    return id == null ? "" : " (" + id + ")";
  }

  private void warn(String message) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("cairn: " + message);
  }
}
