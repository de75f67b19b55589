package io.cairn.lab.submit;

import io.cairn.lab.toy.ToyApplication;
import io.cairn.lab.toy.ToyState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Jobs whose executors prefer the user's jars, among which may be a Netty of another version. Each
 * training ends as an undisturbed one. Takes about two minutes.
 */
final class ClassPathProof {
  private static final int CORES = 2;
  private static final String FIRST = "spark.executor.userClassPathFirst";

  private final SparkHome home;
  private final Path directory;
  private final List<String> artifact;
  private final List<Path> netty;

  /**
   * @param directory is made; for everything that the processes write
   * @param artifact options that bring Cairn: {@code --jars} or {@code --packages}
   * @param netty jars of a Netty that Spark does not have
   */
  ClassPathProof(Path directory, List<String> artifact, List<Path> netty) throws IOException {
    this.directory = directory;
    this.artifact = List.copyOf(artifact);
    this.netty = List.copyOf(netty);
    home = SparkHome.create(directory.resolve("spark"), List.of());
    Map<String, String> settings = new TreeMap<>(ToySettings.of(directory));
    settings.put("spark.cores.max", Integer.toString(CORES));
    home.configure(settings);
  }

  /** Runs each job, one after the other. */
  List<ClassPathResult> results() throws IOException {
    List<ClassPathResult> results = new ArrayList<>();
    Standalone.Workers workers = new Standalone.Workers(1, CORES, "4g");
    try (Standalone cluster = new Standalone(home, directory.resolve("logs"), workers)) {
      results.add(training(cluster, "Netty, Spark's jars first", first(false), true));
      results.add(training(cluster, "no Netty, user's jars first", first(true), false));
      results.add(training(cluster, "Netty, user's jars first", first(true), true));
    }
    return results;
  }

  private static List<String> first(boolean users) {
    return List.of("--conf", FIRST + "=" + users);
  }

  private ClassPathResult training(
      Standalone cluster, String name, List<String> options, boolean withNetty) throws IOException {
    List<String> expected =
        Stream.of(0, 1)
            .map(rank -> rank + " " + ToyState.undisturbed(rank, Training.ITERATIONS))
            .toList();
    long start = System.nanoTime();
    String job = name.replaceAll("\\W+", "-");
    List<String> all = new ArrayList<>(List.of("--master", cluster.address()));
    all.addAll(withNetty ? artifactAndNetty() : artifact);
    all.addAll(options);
    all.addAll(List.of("--conf", "spark.cairn.job=" + job));
    try (Training training =
        new Training(home, directory.resolve(job), all, ToyApplication.class)) {
      boolean passed = training.endsAs(expected);
      double seconds = (System.nanoTime() - start) / 1e9;
      return new ClassPathResult(name, passed, seconds);
    }
  }

  /** {@code spark-submit} takes one list of jars. */
  private List<String> artifactAndNetty() {
    List<String> options = new ArrayList<>(artifact);
    String jars = netty.stream().map(Path::toString).collect(Collectors.joining(","));
    int at = options.indexOf("--jars");
    if (at < 0) {
      options.addAll(List.of("--jars", jars));
    } else {
      options.set(at + 1, options.get(at + 1) + "," + jars);
    }
    return options;
  }
}
