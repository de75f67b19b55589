package io.cairn.lab.submit;

import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;

/**
 * A standalone master and its workers as processes, which end when this process does, however it
 * ends. Confined to one thread, but for {@link #close}.
 */
final class Standalone implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile("Starting Spark master at (spark://\\S+)");
  private static final Pattern PAGE = Pattern.compile("MasterWebUI.* started at (http://\\S+)");
  private static final String REGISTERED = "Successfully registered with master";

  /**
   * Runs a command until its own input ends, which is when the parent of this shell dies. Ctrl-C in
   * a terminal is for that parent.
   */
  private static final String LEASH =
      "trap '' INT; exec 3<&0; \"$@\" < /dev/null 3<&- & read -r line <&3; kill $!; wait";

  private final List<ChildProcess> processes = new CopyOnWriteArrayList<>();
  private final String address;
  private final String page;

  /**
   * The workers.
   *
   * @param memory of each, as Spark's settings write it, such as 2g
   */
  record Workers(int count, int cores, String memory) {}

  /**
   * Starts them, and waits until all workers have registered.
   *
   * @param logs is made; gets a file per process
   */
  Standalone(SparkHome home, Path logs, Workers workers) throws IOException {
    Files.createDirectories(logs);
    try {
      Path log = logs.resolve("master.log");
      startMaster(home, log);
      address = found(ADDRESS, log);
      page = found(PAGE, log);
      for (int i = 0; i < workers.count; i++) {
        startWorker(home, logs.resolve("worker-" + i + ".log"), workers);
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void startMaster(SparkHome home, Path log) throws IOException {
    List<String> arguments = List.of("--host", "127.0.0.1", "--port", "0", "--webui-port", "0");
    start(home, Master.class, arguments, log);
  }

  private static String found(Pattern pattern, Path log) throws IOException {
    return Poll.until(
        "a line like '" + pattern + "' in " + log,
        () -> {
          Matcher found = pattern.matcher(Files.readString(log));
          return found.find() ? Optional.of(found.group(1)) : Optional.empty();
        });
  }

  private void startWorker(SparkHome home, Path log, Workers workers) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--host", "127.0.0.1", "--port", "0"));
    arguments.addAll(List.of("--webui-port", "0", "--memory", workers.memory));
    arguments.addAll(List.of("--cores", Integer.toString(workers.cores)));
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
    processes.add(
        home.run(main, arguments)
            .inside(List.of("sh", "-c", LEASH, "sh"))
            .withErrorsInOutput()
            .outputTo(log)
            .start());
  }

  /** Where it takes applications. */
  String address() {
    return address;
  }

  /** The address of its page, for a browser. */
  String page() {
    return page;
  }

  /** SIGKILLs the worker that started a process, and leaves its other children to themselves. */
  void killWorkerOf(long pid) throws IOException {
    ProcessHandle parent =
        ProcessHandle.of(pid)
            .flatMap(ProcessHandle::parent)
            .orElseThrow(() -> new IOException("process " + pid + " is gone, or has no parent"));
    boolean ours = parent.parent().map(ProcessHandle::pid).filter(this::isOurs).isPresent();
    if (!ours || !parent.destroyForcibly()) {
      throw new IOException("process " + parent + ", the parent of " + pid + ", is no worker");
    }
    // no wait: the shell that started it reads, and collects no dead child
  }

  private boolean isOurs(long pid) {
    return processes.stream().anyMatch(process -> process.pid() == pid);
  }

  /** Kills all of them, with their executors and drivers. */
  @Override
  public void close() {
    processes.forEach(ChildProcess::close);
  }
}
