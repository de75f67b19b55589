package io.cairn.cache.memory.shm;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second JVM on this one's class path; it is killed when it is closed. One thread. */
public final class ChildProcess implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 60;

  private final Process process;
  private final BufferedReader output;
  private final BufferedWriter input;

  private ChildProcess(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    output = process.inputReader(UTF_8);
    input = process.outputWriter(UTF_8);
  }

  static ChildProcess start(String... arguments) throws IOException {
    return start(ArenaProcess.class, arguments);
  }

  /** Starts a class's main method. */
  public static ChildProcess start(Class<?> main, String... arguments) throws IOException {
    return new ChildProcess(java(main, arguments));
  }

  /** Starts it in a mount namespace of its own, with a small tmpfs on {@code mountPoint}. */
  static ChildProcess startOnSmallTmpfs(Path mountPoint, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c"));
    command.add("mount -t tmpfs -o size=2m tmpfs \"$0\" && exec \"$@\"");
    command.add(mountPoint.toString());
    command.addAll(java(ArenaProcess.class, arguments));
    return new ChildProcess(command);
  }

  private static List<String> java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /** The rest of the line that starts with {@code key}; fails with all output if none comes. */
  public String answer(String key) throws IOException {
    StringBuilder seen = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(key + " ")) {
        return line.substring(key.length() + 1);
      }
      seen.append(line).append('\n');
    }
    throw new AssertionError("no line '" + key + " ...' in:\n" + seen);
  }

  /** Writes a line to its input. */
  public void tell(String line) throws IOException {
    input.write(line);
    input.newLine();
    input.flush();
  }

  /** Stops it with SIGSTOP, and waits until the kernel reports it stopped. */
  public void stop() throws IOException, InterruptedException {
    signal("STOP");
    Path stat = Path.of("/proc", String.valueOf(process.pid()), "stat");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!Files.readString(stat).matches("(?s)\\d+ \\(.*\\) T .*")) {
      if (System.nanoTime() > end) {
        throw new AssertionError("child did not stop within " + TIMEOUT_SECONDS + " s");
      }
      Thread.onSpinWait();
    }
  }

  /** Resumes it with SIGCONT. */
  public void goOn() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    String pid = String.valueOf(process.pid());
    int exitCode = new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
    if (exitCode != 0) {
      throw new AssertionError("kill -" + name + " exited with " + exitCode);
    }
  }

  /** Kills it with SIGKILL and waits for its death. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    exitCode();
  }

  /** Waits for its end. */
  public int exitCode() throws InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("child did not end within " + TIMEOUT_SECONDS + " s");
    }
    return process.exitValue();
  }

  String rest() {
    return String.join("\n", output.lines().toList());
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    output.close();
  }
}
