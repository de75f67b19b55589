package io.cairn.lab.planted;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.cli.LocalTree;
import io.cairn.lab.planted.Finding.Verdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plants each defect, runs the tests that have to notice it, and prints a page. */
@Command(
    name = "planted",
    mixinStandardHelpOptions = true,
    description =
        "Plant defects into the sources, one at a time, and run the tests that have to notice them."
            + " Exits with 1 if a defect survives, and with 2 if the tests fail without any.")
final class PlantedCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "Defects; all if none is named.")
  private List<String> names = new ArrayList<>();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "90",
      description = "For the tests of one defect; beyond it they hang (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--commit",
      paramLabel = "ID",
      defaultValue = "unknown",
      description = "Of the sources, for the page.")
  private String commit = "unknown";

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  private PlantedCommand() {}

  /**
   * Runs in the root of the repository.
   *
   * @param arguments as {@code --help} lists them
   */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new PlantedCommand()).execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Defect> defects = selected();
    Path scratch = Files.createTempDirectory("cairn-planted-");
    try {
      Trial trial =
          new Trial(
              Sources.of(Path.of("").toAbsolutePath()),
              scratch,
              Duration.ofSeconds(seconds),
              System::nanoTime);
      return greenWithout(defects, trial) ? plant(defects, trial) : ExitCodes.REFUSED;
    } finally {
      LocalTree.delete(scratch);
    }
  }

  private List<Defect> selected() throws IOException {
    List<Defect> all = DefectList.all();
    Set<String> unknown = new HashSet<>(names);
    all.forEach(defect -> unknown.remove(defect.name()));
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("no defect is named " + unknown);
    }
    return all.stream().filter(each -> names.isEmpty() || names.contains(each.name())).toList();
  }

  /** Red tests would notice a defect that is not there. */
  private boolean greenWithout(List<Defect> defects, Trial trial)
      throws IOException, InterruptedException {
    Map<Path, Set<String>> byModule = new TreeMap<>();
    for (Defect defect : defects) {
      Path module = trial.sources().moduleOfTest(defect.tests().get(0));
      byModule.computeIfAbsent(module, m -> new TreeSet<>()).addAll(defect.tests());
    }
    boolean green = true;
    for (Map.Entry<Path, Set<String>> tests : byModule.entrySet()) {
      Finding found = trial.unchanged(List.copyOf(tests.getValue()));
      progress(tests.getKey().getFileName() + " without a defect", found);
      green &= found.verdict() == Verdict.SURVIVED && !found.detail().equals("0");
    }
    return green;
  }

  private int plant(List<Defect> defects, Trial trial) throws IOException, InterruptedException {
    List<Finding> findings = new ArrayList<>();
    for (Defect defect : defects) {
      Finding found = trial.of(defect);
      findings.add(found);
      progress(findings.size() + " of " + defects.size(), found);
    }
    json.print(
        findings,
        out -> {
          out.print(Page.of(commit, defects, findings));
          out.flush();
        });
    return findings.stream().allMatch(Finding::noticed) ? ExitCodes.GOOD : ExitCodes.BAD;
  }

  private void progress(String place, Finding found) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("planted: " + place + ": " + found.toString().lines().collect(joined()));
    err.flush();
  }

  private static Collector<CharSequence, ?, String> joined() {
    return Collectors.joining("\n    ");
  }
}
