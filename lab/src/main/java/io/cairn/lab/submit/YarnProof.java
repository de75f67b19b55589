package io.cairn.lab.submit;

import io.cairn.lab.toy.ToyEvent;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Trainings on Hadoop's mini cluster of YARN, which authenticate and encrypt. In client mode an
 * executor gets SIGKILL; in cluster mode the driver does, too.
 */
final class YarnProof implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(4);

  private final SparkHome home;
  private final Path directory;
  private final List<String> artifact;
  private final ChildProcess cluster;

  /**
   * Starts the cluster.
   *
   * @param directory is made; for everything that the processes write
   * @param artifact options that bring Cairn
   * @param jars that Spark needs for YARN
   */
  YarnProof(Path directory, List<String> artifact, List<Path> jars) throws IOException {
    this.directory = directory;
    this.artifact = List.copyOf(artifact);
    home = SparkHome.create(directory.resolve("spark"), jars);
    home.configure(settings());
    Path site = home.configuration().resolve("yarn-site.xml");
    String own = YarnMain.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    cluster =
        home.run(own, YarnMain.class, List.of(site.toString()))
            .errorsTo(directory.resolve("yarn.log"))
            .start();
    try {
      cluster.await(YarnMain.UP, START);
    } catch (IOException e) {
      cluster.close();
      throw e;
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(ToySettings.of(directory));
    settings.put("spark.authenticate", "true"); // YARN hands a secret of the job to its containers
    settings.put("spark.network.crypto.enabled", "true");
    settings.put("spark.network.crypto.saslFallback", "false");
    settings.put("spark.executor.instances", "3");
    settings.put("spark.yarn.jars", "local:" + home.directory().resolve("jars") + "/*");
    settings.put("spark.yarn.stagingDir", directory.resolve("staging").toUri().toString());
    settings.put("spark.yarn.maxAppAttempts", "3");
    return settings;
  }

  /** The driver is a child of {@code spark-submit}'s machine. */
  ClusterResult clientMode() throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (Training training = submit("client")) {
      ChildProcess.signal("KILL", training.awaitSealed(1, 0).pid());
      return result("YARN, client mode", training, List.of("executor"), start);
    }
  }

  /** The driver runs in a container, which YARN starts again. */
  ClusterResult clusterMode() throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (Training training = submit("cluster")) {
      ToyEvent first = training.awaitSealed(1, 0);
      ChildProcess.signal("KILL", first.pid());
      training.awaitSealed(0, first.epoch());
      ChildProcess.signal("KILL", training.driver());
      return result("YARN, cluster mode", training, List.of("executor", "driver"), start);
    }
  }

  private static ClusterResult result(
      String name, Training training, List<String> blows, long start) throws IOException {
    boolean identical = training.endsAsUndisturbed();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new ClusterResult(name, blows, training.starts(), identical, seconds);
  }

  private Training submit(String mode) throws IOException {
    List<String> options = new ArrayList<>(List.of("--master", "yarn", "--deploy-mode", mode));
    options.addAll(artifact);
    options.addAll(List.of("--conf", "spark.cairn.job=yarn-" + mode));
    Path files = Files.createDirectories(directory.resolve("yarn-" + mode));
    return new Training(home, files, options);
  }

  /** Ends the cluster, and kills its containers. */
  @Override
  public void close() {
    cluster.close();
  }
}
