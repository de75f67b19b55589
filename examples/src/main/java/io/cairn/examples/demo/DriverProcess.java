package io.cairn.examples.demo;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The demo's Spark application as a process, with its executors as children. Thread-safe. */
final class DriverProcess implements AutoCloseable {
  private final Process process;
  private final Path log;

  private DriverProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts it; its output goes to {@code driver.log} in the run's directory. */
  static DriverProcess start(Path directory, String job, String store, long seed, int executors)
      throws IOException {
    Files.createDirectories(directory);
    Path log = directory.resolve("driver.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Spark needs on JDK 17 what this process was given for it
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(
        List.of(
            "-Xmx768m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            DemoDriver.class.getName(),
            directory.toString(),
            job,
            store,
            Long.toString(seed),
            Integer.toString(executors)));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().put("OMP_NUM_THREADS", "1");
    return new DriverProcess(builder.start(), log);
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
  void requireSuccess() throws IOException {
    if (process.exitValue() != 0) {
      throw new IOException(
          "the Spark application ended with " + process.exitValue() + "; see " + log);
    }
  }

  /** SIGKILLs the driver and every executor, and waits until they are gone. */
  void killMachine() throws InterruptedException {
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle one : all) {
      one.onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
