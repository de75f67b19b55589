package io.cairn.lab.bench.collaborative;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM of its own with the class path of this one. It does what it is told, a line at a time, and
 * ends with its standard input, so with this process at the latest. Its lines that begin with
 * {@link #MARK} are answers, others are passed over. One thread at a time.
 */
final class Child implements AutoCloseable {
  private static final String MARK = "@ ";
  private static final String FAILED = "failed: ";
  private static final String ENDED = "ended";
  private static final long END_SECONDS = 10;
  private static final int TAIL_LINES = 20;

  private final String name;
  private final Process process;
  private final Path log;
  private final Writer commands;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  /** What a child does with a command; what it throws reaches the parent as the answer. */
  interface Handler {
    /** Carries a command out; returns the answer, one line. */
    String handle(List<String> words) throws Exception;
  }

  private Child(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
    commands =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a process.
   *
   * @param name for messages
   * @param prefix a command that runs the rest of its line as a command; may be empty
   * @param main whose {@code main} calls {@link #serve}
   */
  static Child start(
      String name,
      List<String> prefix,
      Class<?> main,
      List<String> jvmArguments,
      List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    Path log = Files.createTempFile("cairn-bench-" + name + "-", ".log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    Child child = new Child(name, process, log);
    Thread reader = new Thread(child::readAnswers, "answers of " + name);
    reader.setDaemon(true);
    reader.start();
    return child;
  }

  private void readAnswers() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith(MARK)) {
          answers.add(line.substring(MARK.length()));
        }
      }
      answers.add(FAILED + ENDED);
    } catch (IOException e) {
      answers.add(FAILED + e);
    }
  }

  /** Tells it a command; its answer comes later. */
  void say(Object... words) throws IOException {
    List<String> line = new ArrayList<>();
    for (Object word : words) {
      line.add(word.toString());
    }
    try {
      commands.write(String.join(" ", line) + "\n");
      commands.flush();
    } catch (IOException e) {
      throw failure("was told " + line.get(0) + " and did not listen: " + e);
    }
  }

  /**
   * Waits for the answer to the oldest command that has none.
   *
   * @throws IOException saying why, if the command failed, the process ended or time is up
   */
  String await(long seconds) throws IOException {
    @Nullable String answer;
    try {
      answer = answers.poll(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("was waited for, until an interruption");
    }
    if (answer == null) {
      throw failure("said nothing for " + seconds + " s");
    }
    if (answer.startsWith(FAILED)) {
      throw failure(answer);
    }
    return answer;
  }

  private IOException failure(String what) throws IOException {
    List<String> lines = Files.readAllLines(log);
    List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
    return new IOException(
        "process %s %s%s"
            .formatted(name, what, tail.isEmpty() ? "" : "\n" + String.join("\n", tail)));
  }

  /** Ends the process: by the end of its input, and after a while by force. */
  @Override
  public void close() throws IOException {
    try {
      commands.close();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      Files.deleteIfExists(log);
    }
  }

  /** The child's side: handles commands until there are no more. */
  static void serve(InputStream in, PrintStream out, Handler handler) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String answer;
      try {
        answer = handler.handle(List.of(line.split(" ", -1)));
      } catch (Exception e) {
        e.printStackTrace();
        answer = FAILED + e;
      }
      out.println(MARK + answer.replace('\n', ' '));
      out.flush();
    }
  }
}
