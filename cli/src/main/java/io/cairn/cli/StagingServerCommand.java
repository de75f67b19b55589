package io.cairn.cli;

import io.cairn.Compression;
import io.cairn.engine.config.HostPort;
import io.cairn.engine.config.SharedSecretSetting;
import io.cairn.engine.config.Sizes;
import io.cairn.engine.coordination.HttpAddress;
import io.cairn.engine.coordination.HttpService;
import io.cairn.engine.nodes.StagingProcess;
import io.cairn.engine.nodes.StagingProgress;
import io.cairn.engine.nodes.StagingTerms;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cairn staging-server}: writes the checkpoints of other processes to STORE. */
@Command(
    name = "staging-server",
    description = {
      "Write the checkpoints of trainings to their store.",
      "%nTrainings with the setting staging announce each checkpoint that is due at STORE."
          + " The server asks for its bytes at its own pace, and keeps no more of them than"
          + " --memory. Runs until it is ended. On SIGTERM it takes no new order, hands those back"
          + " that wait, and finishes the others."
    })
final class StagingServerCommand implements Callable<Integer> {
  @Parameters(paramLabel = "STORE", description = "The setting store of the trainings.")
  private String store = "";

  @Option(
      names = "--bind",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description =
          "Host to serve at (${DEFAULT-VALUE}); 0.0.0.0 is every network of this machine. Others"
              + " than this machine need --secret-file.")
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "7178",
      description = "Port to serve at (${DEFAULT-VALUE}); 0: any free one.")
  private int port;

  @Option(
      names = "--rate",
      paramLabel = "SIZE",
      defaultValue = "0",
      description = "Bytes per second that it reads and writes, such as 100m. 0: no bound.")
  private String rate = "";

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "256m",
      description = "Bytes that it asks for before it has handed them on (${DEFAULT-VALUE}).")
  private String memory = "";

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "4",
      description =
          "Ranks that are written at once, each with a buffer of --chunk (${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--chunk",
      paramLabel = "SIZE",
      defaultValue = "4m",
      description = "The longest chunkSize of the trainings (${DEFAULT-VALUE}).")
  private String chunk = "";

  @Option(
      names = "--codec",
      paramLabel = "NAME",
      defaultValue = "none",
      description = "Compression of chunks, as the setting store.codec (${DEFAULT-VALUE}).")
  private String codec = "";

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = "A file with the setting secret of the trainings.")
  private @Nullable Path secretFile;

  @Option(
      names = "--every",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Time between two lines of progress (${DEFAULT-VALUE}).")
  private int everySeconds;

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long an end waits for what is being written (${DEFAULT-VALUE}).")
  private int graceSeconds;

  @Mixin private HadoopOption hadoop = new HadoopOption();

  @Mixin private JsonOption json = new JsonOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** A line of {@code --json}: {@code event} is started, progress or ended. */
  record Line(String event, String address, String store, StagingProgress progress) {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (everySeconds < 1 || graceSeconds < 0) {
      throw new IllegalArgumentException("give --every 1 or more, and --grace 0 or more");
    }
    StagingTerms terms = terms();
    CheckpointStore opened = CheckpointStores.open(store, hadoop.keys());
    StagingProcess server;
    try {
      server = new StagingProcess(terms, opened);
    } catch (IOException | RuntimeException e) {
      opened.close();
      throw e;
    }
    String address = new HostPort(host, server.port()).toString();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> end(server, opened, address), "cairn-staging-end"));
    print("started", address, server, started(terms, address, server));
    while (true) {
      TimeUnit.SECONDS.sleep(everySeconds);
      print("progress", address, server, progress(server.progress()));
    }
  }

  private StagingTerms terms() throws IOException {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("--port is " + port + ": give 0 to 65535");
    }
    Optional<String> secret = secret();
    if (secret.isEmpty() && !HostPort.isThisMachine(host)) {
      throw new IllegalArgumentException(
          "--bind %s lets other machines write to the store: give --secret-file, too"
              .formatted(host));
    }
    return new StagingTerms(
        new HttpAddress(HttpService.STAGING, host, port, secret),
        size("--rate", rate),
        size("--memory", memory),
        threads,
        (int) Math.min(Integer.MAX_VALUE, size("--chunk", chunk)),
        compression());
  }

  private static long size(String option, String text) {
    return Sizes.parse(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    option + " is '" + text + "': give a size such as 256m or 4g"));
  }

  private Compression compression() {
    return Compression.of(codec)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--codec is '%s': give one of %s"
                        .formatted(
                            codec,
                            Arrays.stream(Compression.values())
                                .map(Compression::label)
                                .collect(Collectors.joining(", ")))));
  }

  private Optional<String> secret() throws IOException {
    Path file = secretFile;
    if (file == null) {
      return Optional.empty();
    } else if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
      throw new IllegalArgumentException(
          "--secret-file %s can be read by every user: chmod 600 it".formatted(file));
    }
    return Optional.of(
        SharedSecretSetting.require(Files.readString(file).strip(), "--secret-file " + file));
  }

  private static String started(StagingTerms terms, String address, StagingProcess server) {
    return String.format(
        Locale.ROOT,
        "Staging server at %s for store %s: %d threads, %s of memory, %s, %s",
        address,
        server.identity(),
        terms.threads(),
        Units.bytes(terms.memoryBytes()),
        terms.bytesPerSecond() == 0
            ? "no bound on the rate"
            : Units.bytes(terms.bytesPerSecond()) + "/s",
        terms.address().secret().isPresent()
            ? "orders are authenticated"
            : "orders of this user on this machine");
  }

  private static String progress(StagingProgress now) {
    return String.format(
        Locale.ROOT,
        "%s written, %s; %s open; %s of memory, at most %s; %d refused, %d failed",
        Units.count(now.containers(), "container"),
        Units.bytes(now.bytes()),
        Units.count(now.orders(), "order"),
        Units.bytes(now.memoryBytes()),
        Units.bytes(now.mostMemoryBytes()),
        now.refused(),
        now.failed());
  }

  private void print(String event, String address, StagingProcess server, String text) {
    try {
      json.printLine(new Line(event, address, server.identity(), server.progress()), text);
    } catch (IOException e) { // the server goes on: trainings wait for it
      spec.commandLine().getErr().println("cairn: " + e);
    }
  }

  /** Runs as the process ends, by whichever signal. */
  private void end(StagingProcess server, CheckpointStore opened, String address) {
    boolean finished = server.end(Duration.ofSeconds(graceSeconds));
    print(
        "ended",
        address,
        server,
        "Ended, %s: %s"
            .formatted(
                finished ? "with all orders finished" : "some orders handed back",
                progress(server.progress())));
    server.close();
    try {
      opened.close();
    } catch (IOException e) {
      spec.commandLine().getErr().println("The store could not be closed: " + e.getMessage());
    }
  }
}
