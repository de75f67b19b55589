package io.cairn.lab.soak;

import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import java.io.IOException;
import java.nio.file.Files;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code cairn-lab soak}: blows without end, and the judgement of what became of the checkpoints.
 */
@Command(
    name = "soak",
    description = {
      "Kill, stop and decommission executors that share device memory.",
      "%nA coupled group of two ranks and two groups of one train on four executor processes of one"
          + " machine; two of the ranks have more state than their executor's cache holds. At"
          + " seeded moments executors get SIGKILL, SIGSTOP with SIGCONT, or SIGPWR, or are"
          + " decommissioned by the driver; one blow in twenty takes all of them and what is at"
          + " NODE; and now and then a step is bad. 300 blows take about an hour. Exits with 1"
          + " unless every rank always resumed, to the last bit, from the newest checkpoint that"
          + " its losses allowed.",
      "%nWith --machines there is one coupled group on several made-up machines that have a NODE of"
          + " their own, with a rank in each of a machine's --executors. As many machines as PEER"
          + " survives are lost at once, and now and then one more."
    })
public final class SoakCommand extends Bench {
  @Option(
      names = "--events",
      paramLabel = "N",
      defaultValue = "300",
      description = "Blows, at least 1 (${DEFAULT-VALUE}).")
  private int events;

  @Option(
      names = "--minutes",
      paramLabel = "M",
      defaultValue = "60",
      description = "No more blows after so long (${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of the blows and their moments (${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--machines",
      paramLabel = "N",
      description = "Made-up machines, each with a NODE.")
  private int machines;

  @Option(
      names = "--executors",
      paramLabel = "E",
      description = "Of each machine, with --machines. Default: 1.")
  private int executors;

  @Option(
      names = "--peer",
      paramLabel = "SCHEME",
      description = "Of PEER, with --machines: partner, xor or rs. Default: partner.")
  private @Nullable String peer;

  @Option(
      names = "--no-store",
      description = "With --machines: nothing after the first iteration goes to STORE.")
  private boolean noStore;

  /** Made by the command line. */
  public SoakCommand() {}

  @Override
  protected void measure(BenchReport report) throws IOException, InterruptedException {
    if (events < 1 || !(minutes > 0)) {
      throw new IllegalArgumentException(
          "--events " + events + ", --minutes " + minutes + ": both are above 0");
    }
    SoakCluster cluster = cluster();
    new SoakRun(Files.createTempDirectory("cairn-soak-"), seed, cluster)
        .run(
            events,
            minutes,
            report,
            done -> {
              if (done % 10 == 0) {
                progress(done + " of " + events + " blows");
              }
            });
  }

  private SoakCluster cluster() {
    if (machines != 0) {
      String scheme = peer == null ? "partner" : peer;
      return new LosableMachines(machines, executors == 0 ? 1 : executors, scheme, !noStore);
    } else if (peer != null || noStore || executors != 0) {
      throw new IllegalArgumentException("--executors, --peer and --no-store need --machines");
    }
    return new OneMachine();
  }
}
