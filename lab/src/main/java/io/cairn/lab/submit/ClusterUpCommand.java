package io.cairn.lab.submit;

import io.cairn.cli.ExitCodes;
import io.cairn.lab.LabCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cairn-lab cluster up}: a cluster that lives until Ctrl-C. */
@Command(
    name = "up",
    description = {
      "Start a standalone master and workers, with --hdfs also an HDFS, from the jars that Maven"
          + " downloaded, and run them until Ctrl-C.",
      "%nPrints their addresses and a command that submits a job. Only this machine reaches them,"
          + " and nobody has to authenticate. DIR gets spark-submit, jars to compile against, logs,"
          + " and the files of HDFS, which the next start serves again."
    })
public final class ClusterUpCommand implements LabCommand {
  private static final Pattern MEMORY = Pattern.compile("[1-9][0-9]*[mg]");

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Worker processes (${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--cores",
      paramLabel = "C",
      defaultValue = "2",
      description = "Tasks that each runs at a time (${DEFAULT-VALUE}).")
  private int cores;

  @Option(
      names = "--memory",
      paramLabel = "M",
      defaultValue = "2g",
      description = "For the executors of each, such as 512m (${DEFAULT-VALUE}).")
  private String memory = "2g";

  @Option(names = "--hdfs", description = "Start an HDFS, too: a NameNode and two DataNodes.")
  private boolean hdfs;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "target/cluster",
      description = "For everything that it writes (${DEFAULT-VALUE}).")
  private Path directory = Path.of("target/cluster");

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Made by the command line. */
  public ClusterUpCommand() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (workers < 1 || cores < 1 || !MEMORY.matcher(memory).matches()) {
      throw new IllegalArgumentException(
          "give --workers and --cores of 1 or more, and --memory such as 512m or 2g");
    }
    try (TrialCluster cluster =
        TrialCluster.start(
            directory.toAbsolutePath().normalize(),
            new Standalone.Workers(workers, cores, memory),
            hdfs)) {
      print(cluster);
      // Ctrl-C ends this process, and the others end with it
      new CountDownLatch(1).await();
    }
    return ExitCodes.GOOD;
  }

  private void print(TrialCluster cluster) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("master  " + cluster.master() + ", its page " + cluster.page());
    out.println("store   " + cluster.store());
    out.println("logs    " + directory.resolve("logs"));
    out.println("\nA job, from another terminal:\n");
    out.println("  " + directory.resolve("spark-submit") + " --master " + cluster.master() + " \\");
    out.println("    --jars target/cairn-bundle.jar \\");
    out.println("    --conf spark.plugins=io.cairn.spark.CairnPlugin \\");
    out.println("    --conf spark.cairn.job=first \\");
    out.println("    --conf spark.cairn.store=" + cluster.store() + " \\");
    out.println("    --class FirstJob target/first.jar");
    out.println("\nCtrl-C ends the cluster.");
    out.flush();
  }
}
