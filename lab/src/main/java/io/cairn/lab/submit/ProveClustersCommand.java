package io.cairn.lab.submit;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.toy.ToyEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code cairn-lab prove clusters}: the artifacts on clusters as users have them. */
@Command(
    name = "clusters",
    description = {
      "Submit a toy training to real clusters, kill parts of them, and compare its end bit for"
          + " bit.",
      "%nWith --netty, jobs run whose executors prefer the user's jars and find that Netty there:"
          + " they train as without it.",
      "%nA standalone master and two workers authenticate and encrypt. In client and in cluster"
          + " mode an executor and then a worker get SIGKILL; in cluster mode it is the driver's,"
          + " and is left out with --packages, which Spark brings to no executor there."
          + " With --yarn the same happens on Hadoop's mini cluster to an executor and the driver."
          + " The distribution has nothing of Cairn, so --bundle or --packages brings all of it."
          + " .ci/clusters builds both and runs this. Exits with 1 unless all digests are those of"
          + " an undisturbed training."
    })
public final class ProveClustersCommand extends Bench {
  @Option(names = "--bundle", paramLabel = "JAR", description = "For spark-submit --jars.")
  private @Nullable Path bundle;

  @Option(
      names = "--packages",
      paramLabel = "COORDINATES",
      description = "For spark-submit --packages, with --repository.")
  private @Nullable String packages;

  @Option(
      names = "--repository",
      paramLabel = "DIRECTORY",
      description = "A Maven repository that holds the packages.")
  private @Nullable Path repository;

  @Option(
      names = "--yarn",
      paramLabel = "DIRECTORY",
      description = "Jars that Spark and the mini cluster need for YARN. Default: no YARN.")
  private @Nullable Path yarn;

  @Option(
      names = "--netty",
      paramLabel = "DIRECTORY",
      description = "Jars of a Netty that Spark does not have. Default: no class paths of users.")
  private @Nullable Path netty;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the command line. */
  public ProveClustersCommand() {}

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    List<String> artifact = artifact();
    Path directory = Files.createTempDirectory("cairn-clusters-");
    report.note(String.join(" ", artifact));
    report.note("logs, store and node: " + directory);
    FigureTable trainings = report.table("trainings of two ranks, beside undisturbed ones");
    StandaloneProof standalone = new StandaloneProof(directory.resolve("standalone"), artifact);
    add(report, trainings, standalone.clientMode());
    report.holds("a job with another secret is refused", standalone.refusesAnotherSecret());
    if (packages == null) { // in that mode Spark brings them to the driver alone
      add(report, trainings, standalone.clusterMode());
    }
    if (yarn != null) {
      try (YarnProof proof = new YarnProof(directory.resolve("yarn"), artifact, jars(yarn))) {
        add(report, trainings, proof.clientMode());
        add(report, trainings, proof.clusterMode());
      }
    }
    if (netty != null) {
      FigureTable jobs = report.table("jobs with jars of their user");
      for (ClassPathResult result :
          new ClassPathProof(directory.resolve("class-path"), artifact, jars(netty)).results()) {
        jobs.row().add("job", result.name()).add("seconds", result.seconds());
        report.holds(result.name() + ": as expected", result.passed());
      }
    }
  }

  private static void add(BenchReport report, FigureTable trainings, ClusterResult result) {
    trainings
        .row()
        .add("training", result.name())
        .add("SIGKILL to", String.join(" and ", result.blows()))
        .add(
            "attempts",
            result.starts().stream()
                .map(ProveClustersCommand::line)
                .collect(Collectors.joining("; ")))
        .add("identical", result.identical())
        .add("seconds", result.seconds());
    report.holds(result.name() + ": resumed, and ended as undisturbed", result.passed());
  }

  private List<String> artifact() {
    if (bundle != null && packages == null && repository == null) {
      return List.of("--jars", bundle.toAbsolutePath().toString());
    }
    if (bundle == null && packages != null && repository != null) {
      String address = repository.toAbsolutePath().toUri().toString();
      return List.of("--packages", packages, "--repositories", address);
    }
    throw new ParameterException(
        spec.commandLine(), "give either --bundle, or --packages and --repository");
  }

  private static List<Path> jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static String line(ToyEvent start) {
    return String.format(
        Locale.ROOT,
        "rank %d, epoch %d, from iteration %d (%s)",
        start.rank(),
        start.epoch(),
        start.iteration(),
        start.source());
  }
}
