package io.cairn.lab.study.adjoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.cli.WritableDirectory;
import io.cairn.lab.study.chart.Pictures;
import io.cairn.lab.study.line.LineCommand;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code cairn-lab adjoint solve}: costs and actions for each problem of a file. */
@Command(
    name = "solve",
    description = {
      "Answer problems of adjoint workloads, one per line.",
      "",
      "A line: {\"id\": …, \"kind\": …, \"problem\": {…}}. Its answer: {\"id\", \"answer\","
          + " \"actions\"}; the latter for binomial, tiers, disk, overlap and online up to 1000"
          + " steps.",
      "",
      "The actions of tiers cost the \"optimum\". If that takes too long to find, the answer has"
          + " none, and the actions are those of the best level-ordered schedule. The actions of"
          + " disk cost \"readOften\", those of online \"total\"; those of overlap take the"
          + " \"time\" at most.",
      "",
      "Kinds of schedules, with the members of their problems; n is the number of steps, uf the"
          + " cost of one forward, ub of one backward:",
      "  binomial     n, s snapshots",
      "  tiers        n, uf, ub; caps, w, r: slots (null: unlimited), costs to write and to read",
      "  disk         n, uf, ub; ram snapshots; wd, rd: costs to write and to read on the disk",
      "  overlap      as tiers, with times: copies to the first tier and from it, transfers between"
          + " it and each other tier beside the program",
      "  everyKth     n, k",
      "  periodic     n, period, ram",
      "  bestPeriod   ram, wd, rd, uf",
      "  online       n, s",
      "  onlineUntil  s",
      "  mixed        n, s units",
      "Kinds of histories:",
      "  moves        n, caps: states per tier, the last null",
      "  nextUse      sizes of the states, capacity of the cache",
      "  misses       reads: the states in their order; slots",
      "  pipe         n, slots, forward, backward (a number, or one per step), down, up, copy"
    })
final class SolveCommand extends LineCommand {
  private static final int MOST_DRAWN_STEPS = 1000;

  @Option(
      names = "--picture",
      paramLabel = "DIR",
      converter = WritableDirectory.class,
      description = "Draw each schedule over time in this directory, as SVG and PNG.")
  private @Nullable Path directory;

  private long drawn;

  @Override
  protected void answer(ObjectNode line) throws IOException {
    Solution solution = ProblemKinds.solve(line.path("kind").asText(), Problem.of(line));
    line.retain("id");
    line.set("answer", solution.answer());
    if (solution.schedule() != null && solution.steps() <= MOST_DRAWN_STEPS) {
      line.set("actions", ActionJson.list(solution.schedule(), solution.steps()));
      draw(line.path("id").asText("problem"), solution);
    }
  }

  private void draw(String id, Solution solution) throws IOException {
    if (directory != null && solution.schedule() != null) {
      drawn++;
      new Pictures(directory)
          .save(Pictures.fileName(drawn, id), ScheduleChart.of(id, solution.schedule()));
    }
  }
}
