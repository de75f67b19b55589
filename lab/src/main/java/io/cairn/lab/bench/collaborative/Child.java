package io.cairn.lab.bench.collaborative;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A child process that carries out commands, one line each, and answers each with a line. It ends
 * with its standard input, so with this process at the latest. Lines without {@link #MARK} are no
 * answers. One thread at a time.
 */
final class Child implements AutoCloseable {
  private static final String MARK = "@ ";
  private static final String FAILED = "failed: ";
  private static final Duration END = Duration.ofSeconds(10);

  private final ChildProcess process;

  /** Carries out a command in the child; its exceptions reach the parent as the answer. */
  interface Handler {
    /** Carries a command out; returns the answer, one line. */
    String handle(List<String> words) throws Exception;
  }

  private Child(ChildProcess process) {
    this.process = process;
  }

  /** Starts a JVM whose {@code main} calls {@link #serve}. */
  static Child start(Command command) throws IOException {
    return new Child(command.withErrorsInOutput().start());
  }

  /** Sends a command; its answer comes later. */
  void send(Object... words) throws IOException {
    try {
      process.send(words);
    } catch (IOException e) {
      IOException failure = process.failure("did not take the command " + words[0]);
      failure.initCause(e);
      throw failure;
    }
  }

  /**
   * Waits for the answer to the oldest command that has none.
   *
   * @throws IOException saying why, if the command failed, the process ended or time is up
   */
  String await(Duration patience) throws IOException {
    String answer = process.await(MARK, patience);
    if (answer.startsWith(FAILED)) {
      throw process.failure(answer);
    }
    return answer;
  }

  /** Ends the process: by the end of its input, and after a while by force. */
  @Override
  public void close() throws IOException {
    process.end(END);
  }

  /** The child's side: handles commands until the input ends. */
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
