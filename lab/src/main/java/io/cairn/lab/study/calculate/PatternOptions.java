package io.cairn.lab.study.calculate;

import io.cairn.lab.study.pattern.CostModel;
import io.cairn.lab.study.pattern.FailureModel;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.Optimizer;
import io.cairn.lab.study.pattern.PatternAssumptions;
import io.cairn.lab.study.pattern.PatternCalculator;
import io.cairn.lab.study.pattern.PatternReport;
import io.cairn.lab.study.pattern.PatternRestriction;
import io.cairn.lab.study.pattern.RecoveryCost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which platform, which assumptions and which patterns are meant. */
public final class PatternOptions {
  @Option(
      names = "--levels",
      required = true,
      paramLabel = "FILE",
      description = {
        "The platform: {\"levels\": [{\"name\": …, \"mtbfSeconds\": … (or \"failuresPerSecond\"),"
            + " \"checkpointSeconds\": …, \"recoverySeconds\": …}, …]}, the cheapest level first."
      })
  private Path file = Path.of("");

  @Option(
      names = "--cost",
      paramLabel = "MODEL",
      description =
          "What a checkpoint costs when levels below it are left out: independent (the same) or"
              + " incremental (theirs as well). Default: independent.")
  private CostModel costs = PatternAssumptions.DEFAULT.costs();

  @Option(
      names = "--failures",
      paramLabel = "MODEL",
      description =
          "When failures strike: computation-only, everywhere, or atomic-chain-except-recovery."
              + " Default: everywhere.")
  private FailureModel failures = PatternAssumptions.DEFAULT.failures();

  @Option(
      names = "--recovery",
      paramLabel = "MODEL",
      description =
          "What a recovery costs: cumulative (that of its level and of all below in use) or own."
              + " Default: cumulative.")
  private RecoveryCost recovery = PatternAssumptions.DEFAULT.recovery();

  @Option(
      names = "--optimizer",
      paramLabel = "BY",
      description = "Choose the pattern by first-order formulas or exact time. Default: exact.")
  private Optimizer optimizer = Optimizer.EXACT;

  @Option(
      names = "--subset",
      split = ",",
      paramLabel = "LEVEL",
      description = "Use just these levels, counted from 1; the highest must be among them.")
  private @Nullable List<Integer> subset;

  @Option(
      names = "--counts",
      split = ",",
      paramLabel = "N",
      description =
          "For each level in use but the highest, its checkpoints per checkpoint of the next one"
              + " in use. Needs --subset.")
  private @Nullable List<Integer> counts;

  @Option(
      names = "--length",
      paramLabel = "SECONDS",
      description = "The work of one pattern. With --subset and --counts: evaluate that pattern.")
  private @Nullable Double length;

  /** The platform; read from the file on each call. */
  public LevelStack levels() throws IOException {
    return LevelsFile.read(file);
  }

  /** The assumptions beyond its numbers. */
  public PatternAssumptions assumptions() {
    return new PatternAssumptions(costs, failures, recovery);
  }

  /** By what the pattern is chosen. */
  Optimizer optimizer() {
    return optimizer;
  }

  /**
   * The pattern that the options mean for a platform, and what to hold it against.
   *
   * @throws IllegalArgumentException naming what does not fit
   */
  public PatternReport calculate(LevelStack levels) {
    // One level in use needs no counts; an option cannot say an empty list.
    List<Integer> given =
        counts == null && length != null && subset != null && subset.size() == 1
            ? List.of()
            : counts;
    return new PatternCalculator(levels, assumptions())
        .calculate(optimizer, new PatternRestriction(subset, given, length));
  }

  /** Whether the options give the whole pattern. */
  boolean isGiven() {
    return subset != null && length != null && (counts != null || subset.size() == 1);
  }
}
