package io.cairn.lab.submit;

import io.cairn.lab.toy.ToyEvent;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Trainings on a standalone cluster that authenticates and encrypts, in client and cluster mode. An
 * executor and a worker get SIGKILL.
 */
final class StandaloneProof {
  private static final Standalone.Workers WORKERS = new Standalone.Workers(2, 3, "4g");

  private final SparkHome home;
  private final Path directory;
  private final List<String> artifact;

  /**
   * @param directory is made; for everything that the processes write
   * @param artifact options that bring Cairn: {@code --jars} or {@code --packages}
   */
  StandaloneProof(Path directory, List<String> artifact) throws IOException {
    this.directory = directory;
    this.artifact = List.copyOf(artifact);
    home = SparkHome.create(directory.resolve("spark"), List.of());
    home.configure(settings(secret()));
  }

  private static String secret() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private Map<String, String> settings(String secret) {
    Map<String, String> settings = new TreeMap<>(ToySettings.of(directory));
    settings.put("spark.authenticate", "true");
    settings.put("spark.authenticate.secret", secret);
    settings.put("spark.network.crypto.enabled", "true");
    settings.put("spark.network.crypto.saslFallback", "false");
    settings.put("spark.cores.max", "4");
    return settings;
  }

  /** The driver is a child of {@code spark-submit}'s machine. */
  ClusterResult clientMode() throws IOException, InterruptedException {
    String name = "standalone, client mode";
    try (Standalone cluster = cluster("client")) {
      return disturbed(name, cluster, List.of("--deploy-mode", "client"), false);
    }
  }

  /** The driver runs at a worker, dies with it, and is started again. */
  ClusterResult clusterMode() throws IOException, InterruptedException {
    String name = "standalone, cluster mode, driver's worker";
    try (Standalone cluster = cluster("cluster")) {
      return disturbed(name, cluster, List.of("--deploy-mode", "cluster", "--supervise"), true);
    }
  }

  /** Whether the master refuses a job with another secret. */
  boolean refusesAnotherSecret() throws IOException, InterruptedException {
    Path other = directory.resolve("other.conf");
    SparkHome.write(other, settings(secret()));
    try (Standalone cluster = cluster("refused");
        Training training =
            submit(cluster, "refused", List.of("--properties-file", other.toString()))) {
      return training.exitStatus() != 0 && training.starts().isEmpty();
    }
  }

  private Standalone cluster(String name) throws IOException {
    return new Standalone(home, directory.resolve(name + "/logs"), WORKERS);
  }

  private Training submit(Standalone cluster, String name, List<String> more) throws IOException {
    List<String> options = new ArrayList<>(List.of("--master", cluster.address()));
    options.addAll(artifact);
    options.addAll(more);
    options.addAll(List.of("--conf", "spark.cairn.job=" + name));
    return new Training(home, directory.resolve(name + "/training"), options);
  }

  private ClusterResult disturbed(
      String name, Standalone cluster, List<String> mode, boolean driversWorker)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    try (Training training = submit(cluster, mode.get(1), mode)) {
      ToyEvent first = training.awaitSealed(1, 0);
      ChildProcess.signal("KILL", first.pid());
      ToyEvent second = training.awaitSealed(0, first.epoch());
      cluster.killWorkerOf(driversWorker ? training.driver() : second.pid());
      boolean identical = training.endsAsUndisturbed();
      double seconds = (System.nanoTime() - start) / 1e9;
      List<String> blows = List.of("executor", "worker");
      return new ClusterResult(name, blows, training.starts(), identical, seconds);
    }
  }
}
