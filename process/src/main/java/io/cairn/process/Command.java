package io.cairn.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A command line that can be started as a child process. By default its errors go where those of
 * this process go, and its output is read by {@link ChildProcess}. Not thread-safe.
 */
public final class Command {
  private final List<String> words = new ArrayList<>();
  private final List<String> options = new ArrayList<>();
  private final List<String> arguments = new ArrayList<>();
  private final Map<String, String> environment = new TreeMap<>();
  private File directory = new File(".");
  private Redirect output = Redirect.PIPE;
  private Redirect errors = Redirect.INHERIT;
  private boolean merged;

  private Command() {}

  /** A program that is found on the path, and its arguments. */
  public static Command of(String... words) {
    Command command = new Command();
    command.words.addAll(List.of(words));
    return command;
  }

  /** A JVM of this process's release and class path that runs the {@code main} of a class. */
  public static Command java(Class<?> main, Object... arguments) {
    Command command = of(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.arguments.add(main.getName());
    for (Object argument : arguments) {
      command.arguments.add(argument.toString());
    }
    return command;
  }

  /** Adds options of the JVM. */
  public Command options(List<String> more) {
    options.addAll(more);
    return this;
  }

  /** Adds options of the JVM. */
  public Command options(String... more) {
    return options(List.of(more));
  }

  /** Options of a JVM that starts fast, lives briefly and needs little. */
  public Command small(int heapMebibytes) {
    return options(
        "-Xmx" + heapMebibytes + "m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto");
  }

  /** Puts a program before the command that runs the rest of its line as a command. */
  public Command inside(List<String> wrapper) {
    words.addAll(0, wrapper);
    return this;
  }

  /** Sets a variable of the environment. */
  public Command environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Sets the working directory. */
  public Command directory(Path path) {
    directory = path.toFile();
    return this;
  }

  /** Appends the errors to a file. */
  public Command errorsTo(Path file) {
    errors = Redirect.appendTo(file.toFile());
    return this;
  }

  /** Drops the errors. */
  public Command withoutErrors() {
    errors = Redirect.DISCARD;
    return this;
  }

  /** Makes the errors a part of the output. */
  public Command withErrorsInOutput() {
    merged = true;
    return this;
  }

  /** Appends the output to a file. */
  public Command outputTo(Path file) {
    output = Redirect.appendTo(file.toFile());
    return this;
  }

  /**
   * Starts the command.
   *
   * @throws IOException if there is no such program
   */
  public ChildProcess start() throws IOException {
    return new ChildProcess(this, builder().start(), output.equals(Redirect.PIPE));
  }

  /**
   * Runs the command to its end and drops its output.
   *
   * @return its exit status
   * @throws IOException if there is no such program
   */
  public int run() throws IOException, InterruptedException {
    return builder().redirectOutput(Redirect.DISCARD).start().waitFor();
  }

  private ProcessBuilder builder() {
    List<String> line = new ArrayList<>(words);
    line.addAll(options);
    line.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(directory)
            .redirectErrorStream(merged)
            .redirectOutput(output);
    if (!merged) {
      builder.redirectError(errors);
    }
    builder.environment().putAll(environment);
    return builder;
  }

  /** The class or program that runs, for messages. */
  @Override
  public String toString() {
    return arguments.isEmpty() ? String.join(" ", words) : arguments.get(2);
  }
}
