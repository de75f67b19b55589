package io.cairn.examples.demo;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The demo's Spark application as a process, with its executors as children. Thread-safe. */
final class DriverProcess implements AutoCloseable {
  private final ChildProcess process;
  private final Path log;

  private DriverProcess(ChildProcess process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts it; its output goes to {@code driver.log} in the run's directory. */
  static DriverProcess start(
      Path directory, String job, String store, long seed, int executors, Optional<Path> eventLogs)
      throws IOException {
    Files.createDirectories(directory);
    Path log = directory.resolve("driver.log");
    // Spark needs the packages that were opened for this process
    List<String> opened =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-opens"))
            .toList();
    // a killed driver leaves the directories of its workers behind
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    List<Object> arguments = new ArrayList<>(List.of(directory, job, store, seed, executors));
    eventLogs.ifPresent(arguments::add);
    ChildProcess process =
        Command.java(DemoDriver.class, arguments.toArray())
            .options(opened)
            .small(768)
            .options("-Djava.io.tmpdir=" + temporary)
            .environment("OMP_NUM_THREADS", "1")
            .withErrorsInOutput()
            .outputTo(log)
            .start();
    return new DriverProcess(process, log);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Checks that an ended application ended well.
   *
   * @throws IOException naming its log, if it did not
   */
  void requireSuccess() throws IOException, InterruptedException {
    int status = process.exitStatus();
    if (status != 0) {
      throw new IOException("the Spark application ended with " + status + "; see " + log);
    }
  }

  /** SIGKILLs the driver and every executor, and waits until they are gone. */
  void killMachine() throws IOException, InterruptedException {
    process.killTree();
  }

  @Override
  public void close() {
    process.close();
  }
}
