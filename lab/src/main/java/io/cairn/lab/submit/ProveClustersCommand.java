package io.cairn.lab.submit;

import io.cairn.cli.ExitCodes;
import io.cairn.cli.JsonOption;
import io.cairn.lab.LabCommand;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.toy.ToyEvent;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
          + " no executor may end, and what does not use Cairn ends as without the plugin.",
      "%nA standalone master and two workers authenticate and encrypt. In client and in cluster"
          + " mode an executor and then a worker get SIGKILL; in cluster mode it is the driver's."
          + " With --yarn the same happens on Hadoop's mini cluster to an executor and the driver."
          + " The distribution has nothing of Cairn, so --bundle or --packages brings all of it."
          + " .ci/clusters builds both and runs this. Exits with 1 unless all digests are those of"
          + " an undisturbed training."
    })
public final class ProveClustersCommand implements LabCommand {
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

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the command line. */
  public ProveClustersCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> artifact = artifact();
    Path directory = Files.createTempDirectory("cairn-clusters-");
    ClustersReport report = report(directory, artifact);
    json.print(report, out -> print(report, directory, out));
    return report.passed() ? ExitCodes.GOOD : ExitCodes.BAD;
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

  private ClustersReport report(Path directory, List<String> artifact)
      throws IOException, InterruptedException {
    List<ClusterResult> results = new ArrayList<>();
    StandaloneProof standalone = new StandaloneProof(directory.resolve("standalone"), artifact);
    results.add(standalone.clientMode());
    boolean refused = standalone.refusesAnotherSecret();
    results.add(standalone.clusterMode());
    if (yarn != null) {
      try (YarnProof proof = new YarnProof(directory.resolve("yarn"), artifact, jars(yarn))) {
        results.add(proof.clientMode());
        results.add(proof.clusterMode());
      }
    }
    List<ClassPathResult> classPaths =
        netty == null
            ? List.of()
            : new ClassPathProof(directory.resolve("class-path"), artifact, jars(netty)).results();
    String machine = MeasuredMachine.current().toString();
    return new ClustersReport(machine, date(), artifact, refused, results, classPaths);
  }

  private static String date() {
    return LocalDate.now(ZoneOffset.UTC).toString();
  }

  private static List<Path> jars(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static void print(ClustersReport report, Path directory, PrintWriter out) {
    out.printf("%s%n%s, %s%n%n", report.machine(), report.date(), report.artifact());
    for (ClusterResult result : report.results()) {
      String starts =
          result.starts().stream()
              .map(ProveClustersCommand::line)
              .collect(Collectors.joining("; "));
      out.printf(
          Locale.ROOT,
          "%s: SIGKILL to %s; %s; digests %s, %.0f s%n",
          result.name(),
          String.join(" and ", result.blows()),
          starts,
          result.identical() ? "identical" : "DIFFERENT",
          result.seconds());
    }
    for (ClassPathResult result : report.classPaths()) {
      String passed = result.passed() ? "as expected" : "DIFFERENT";
      out.printf(Locale.ROOT, "%s: %s, %.0f s%n", result.name(), passed, result.seconds());
    }
    out.printf("a job with another secret: %s%n", report.otherSecretRefused() ? "refused" : "RUNS");
    out.println("logs, store and node: " + directory);
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
