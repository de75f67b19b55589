package io.cairn.lab.submit;

import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;

/** A standalone master and its workers as processes. Confined to one thread. */
final class Standalone implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("Starting Spark master at (spark://\\S+)");
  private static final String REGISTERED = "Successfully registered with master";

  private final List<ChildProcess> processes = new ArrayList<>();
  private final String address;

  /**
   * Starts them, and waits until all workers have registered.
   *
   * @param logs is made; gets a file per process
   */
  Standalone(SparkHome home, Path logs, int workers, int cores) throws IOException {
    Files.createDirectories(logs);
    try {
      address = startMaster(home, logs.resolve("master.log"));
      for (int i = 0; i < workers; i++) {
        startWorker(home, logs.resolve("worker-" + i + ".log"), cores);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private String startMaster(SparkHome home, Path log) throws IOException {
    List<String> arguments = List.of("--host", "127.0.0.1", "--port", "0", "--webui-port", "0");
    start(home, Master.class, arguments, log);
    return Poll.until(
        "the master's address in " + log,
        () -> {
          Matcher found = ADDRESS.matcher(Files.readString(log));
          return found.find() ? Optional.of(found.group(1)) : Optional.empty();
        });
  }

  private void startWorker(SparkHome home, Path log, int cores) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--host", "127.0.0.1", "--port", "0"));
    arguments.addAll(List.of("--webui-port", "0", "--memory", "4g"));
    arguments.addAll(List.of("--cores", Integer.toString(cores)));
    arguments.addAll(List.of("--work-dir", home.directory().resolve("work").toString(), address));
    start(home, Worker.class, arguments, log);
    Poll.until(
        "the registration in " + log, () -> Optional.of(log).filter(Standalone::isRegistered));
  }

  private static boolean isRegistered(Path log) {
    try {
      return Files.readString(log).contains(REGISTERED);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(log.toString(), e);
    }
  }

  private void start(SparkHome home, Class<?> main, List<String> arguments, Path log)
      throws IOException {
    Files.createFile(log);
    processes.add(home.run(main, arguments).withErrorsInOutput().outputTo(log).start());
  }

  /** Where it takes applications. */
  String address() {
    return address;
  }

  /** SIGKILLs the worker that started a process, and leaves its other children to themselves. */
  void killWorkerOf(long pid) throws IOException, InterruptedException {
    long parent =
        ProcessHandle.of(pid)
            .flatMap(ProcessHandle::parent)
            .map(ProcessHandle::pid)
            .orElseThrow(() -> new IOException("process " + pid + " is gone, or has no parent"));
    for (ChildProcess process : processes) {
      if (process.pid() == parent) {
        process.kill();
        return;
      }
    }
    throw new IOException("process " + parent + ", the parent of " + pid + ", is no worker");
  }

  /** Kills all of them, with their executors and drivers. */
  @Override
  public void close() {
    processes.forEach(ChildProcess::close);
  }
}
