package io.cairn.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A running child process that exchanges lines with this one. A daemon thread reads its output into
 * a bounded queue; when the queue is full, the child waits. {@link #close} kills it. One thread
 * reads lines; the other methods are thread-safe.
 */
public final class ChildProcess implements AutoCloseable {
  /** Long enough for anything that a child does, on a busy machine. */
  public static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final int MOST_LINES = 1 << 16;
  private static final int TAIL_LINES = 20;

  private final Command command;
  private final Process process;
  private final Writer input;
  private final BlockingQueue<Line> lines = new LinkedBlockingQueue<>(MOST_LINES);
  private final Deque<String> tail = new ArrayDeque<>();
  private boolean ended;

  /** A line of output, or its end. */
  private record Line(@Nullable String text) {}

  ChildProcess(Command command, Process process, boolean reads) {
    this.command = command;
    this.process = process;
    input = process.outputWriter(StandardCharsets.UTF_8);
    if (reads) {
      Thread reader = new Thread(this::read, "output of " + command);
      reader.setDaemon(true);
      reader.start();
    } else {
      ended = true;
    }
  }

  private void read() {
    try {
      readLines();
      lines.put(new Line(null));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readLines() throws InterruptedException {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.put(new Line(line));
      }
    } catch (IOException e) {
      lines.put(new Line("its output could not be read: " + e));
    }
  }

  /**
   * Sends a line: the words, separated by blanks.
   *
   * @throws IOException if the child does not read any more
   */
  public synchronized void send(Object... words) throws IOException {
    List<String> line = new ArrayList<>();
    for (Object word : words) {
      line.add(word.toString());
    }
    input.write(String.join(" ", line) + "\n");
    input.flush();
  }

  /** Ends the child's input. */
  public synchronized void endInput() throws IOException {
    input.close();
  }

  /** The next line; empty at the end of the output, or when no line comes in time. */
  public Optional<String> line(Duration patience) throws InterruptedException {
    if (ended) {
      return Optional.empty();
    }
    @Nullable Line next = lines.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (next == null) {
      return Optional.empty();
    }
    ended = next.text == null;
    Optional<String> line = Optional.ofNullable(next.text);
    line.ifPresent(this::remember);
    return line;
  }

  /** Whether all lines were read, and no more will come. */
  public boolean outputEnded() {
    return ended;
  }

  private void remember(String line) {
    tail.add(line);
    if (tail.size() > TAIL_LINES) {
      tail.remove();
    }
  }

  /**
   * Reads lines until one begins with a prefix.
   *
   * @return the rest of that line
   * @throws IOException with the last lines, if the output ends or the line does not come in time
   */
  public String await(String prefix, Duration patience) throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (true) {
        Optional<String> line = line(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
        if (line.isEmpty()) {
          throw failure((ended ? "ended" : "is late") + " with no line '" + prefix + "...'");
        }
        if (line.get().startsWith(prefix)) {
          return line.get().substring(prefix.length());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("was interrupted in waiting for a line '" + prefix + "...'");
    }
  }

  /** {@link #await(String, Duration)} with {@link #PATIENCE}. */
  public String await(String prefix) throws IOException {
    return await(prefix, PATIENCE);
  }

  /** Waits for the end of the output and returns the lines up to it. */
  public List<String> rest() throws IOException, InterruptedException {
    List<String> rest = new ArrayList<>();
    while (!ended) {
      Optional<String> line = line(PATIENCE);
      if (line.isEmpty() && !ended) {
        throw failure("did not end its output within " + PATIENCE.toSeconds() + " s");
      }
      line.ifPresent(rest::add);
    }
    return rest;
  }

  /** An exception that names the command and quotes the last lines that were read. */
  public IOException failure(String what) {
    String last = tail.isEmpty() ? "" : "\n" + String.join("\n", tail);
    return new IOException("process " + process.pid() + ", " + command + ", " + what + last);
  }

  /** The process's id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for the end of the process; returns whether it came in time. */
  public boolean waitFor(Duration patience) throws InterruptedException {
    return process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Waits for the end of the process.
   *
   * @return the exit status
   * @throws IOException if it does not end within {@link #PATIENCE}
   */
  public int exitStatus() throws IOException, InterruptedException {
    if (!waitFor(PATIENCE)) {
      throw failure("did not end within " + PATIENCE.toSeconds() + " s");
    }
    return process.exitValue();
  }

  /** Stops it with SIGSTOP and waits until the kernel reports it as stopped. */
  public void stop() throws IOException, InterruptedException {
    requireSent("STOP");
    Path stat = Path.of("/proc", Long.toString(pid()), "stat");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!Files.readString(stat).matches("(?s)\\d+ \\(.*\\) T .*")) {
      if (System.nanoTime() > end) {
        throw failure("did not stop within " + PATIENCE.toSeconds() + " s");
      }
      LockSupport.parkNanos(100_000);
    }
  }

  /** Resumes it with SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    requireSent("CONT");
  }

  private void requireSent(String signal) throws IOException, InterruptedException {
    if (!signal(signal, pid())) {
      throw failure("could not be sent SIG" + signal);
    }
  }

  /**
   * Sends a signal to any process.
   *
   * @param name without SIG
   * @return whether it was sent; false if there is no such process
   */
  public static boolean signal(String name, long pid) throws IOException, InterruptedException {
    return Command.of("kill", "-" + name, Long.toString(pid)).withoutErrors().run() == 0;
  }

  /**
   * Kills it with SIGKILL and waits for its end. Lines that it wrote before can still be read.
   *
   * @throws IOException if it does not end within {@link #PATIENCE}
   */
  public void kill() throws IOException, InterruptedException {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would close its output
    exitStatus();
  }

  /** Kills it and all its descendants with SIGKILL and waits for their end. */
  public void killTree() throws IOException, InterruptedException {
    List<ProcessHandle> descendants = process.descendants().toList();
    kill();
    descendants.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle descendant : descendants) {
      descendant.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
  }

  /**
   * Ends it in order: by the end of its input, then with SIGTERM, then with SIGKILL, each after the
   * patience given.
   */
  public void end(Duration patience) throws IOException {
    try {
      endInput();
      if (!waitFor(patience)) {
        process.destroy();
      }
      waitFor(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  /** Kills it and its descendants with SIGKILL, without waiting for their end. Idempotent. */
  @Override
  public void close() {
    List<ProcessHandle> descendants = process.descendants().toList();
    process.destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
  }
}
