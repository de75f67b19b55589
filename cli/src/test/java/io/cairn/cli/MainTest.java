package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.RestoreException;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class MainTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Command(name = "thrower")
  private static final class Thrower implements Callable<Integer> {
    private final Exception thrown;

    Thrower(Exception thrown) {
      this.thrown = thrown;
    }

    @Override
    public Integer call() throws Exception {
      throw thrown;
    }
  }

  @Command(name = "wrapped")
  private record Wrapped(Callable<Integer> body) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      return body.call();
    }
  }

  @Test
  void helpListsCommandsOptionsAndExitCodes() {
    assertThat(execute(Main.commandLine(), "--help")).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString())
        .contains(
            "Usage: cairn", "--verbose", "--version", "Exit codes:", "3   not done: a defect");
  }

  @Test
  void theHelpFitsOneScreen() {
    CommandLine line = Main.commandLine().setUsageHelpWidth(80).setUsageHelpAutoWidth(false);

    execute(line, "--help");

    assertThat(out.toString().lines()).hasSizeLessThan(36).contains("Commands:");
    assertThat(out.toString().lines().filter(each -> each.startsWith("  ")))
        .as("a line per command")
        .allMatch(each -> each.charAt(2) != ' ' || each.contains("--"));
  }

  @Test
  void wordsAreCompletedByAScript() {
    assertThat(execute(Main.commandLine(), "generate-completion")).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString()).contains("bash completion", "list", "--job");
  }

  @Test
  void commandsOfOtherModulesAreFoundAsServices() {
    assertThat(execute(Main.commandLine(), "greet", "two words")).isEqualTo(ExitCodes.BAD);
    assertThat(GreetCommand.lastName).isEqualTo("two words");
    execute(Main.commandLine(), "--help");
    assertThat(out.toString()).contains("greet", "Greets, for a test.");
  }

  @Test
  void anUnknownCommandIsRefusedWithTheNearestName() {
    assertThat(execute(Main.commandLine(), "gret")).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("cairn: ", "gret").contains("greet");
  }

  @Test
  void anUnknownOptionIsRefusedWithTheNearestName() {
    assertThat(execute(Main.commandLine(), "greet", "x", "--verbos")).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("cairn: Unknown option: '--verbos'").contains("--verbose");
  }

  @Test
  void noCommandIsRefusedWithAPointerToTheHelp() {
    assertThat(execute(Main.commandLine())).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("cairn: no command given", "cairn --help");
  }

  /** Java itself would end with the code of damage. */
  @Test
  void aLackOfMemoryIsADefect() {
    Callable<Integer> hungry =
        () -> {
          throw new OutOfMemoryError("Java heap space");
        };
    CommandLine line = new CommandLine(new Wrapped(hungry)).setErr(new PrintWriter(err));

    assertThat(Program.exitCode(line)).isEqualTo(ExitCodes.DEFECT);

    assertThat(err.toString()).startsWith("cairn: defect: java.lang.OutOfMemoryError");
  }

  /** Such as a device that is full; the caller would take half of a list for all of it. */
  @Test
  void outputThatIsLostIsNoSuccess() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    for (String[] arguments : new String[][] {{"--help"}, {"--version"}, {"greet", "x"}}) {
      assertThat(exitWithoutOutput(file, arguments)).isEqualTo(ExitCodes.REFUSED);
      assertThat(err.toString()).contains("cairn: the output could not be written");
    }
  }

  /** As of {@code cairn list STORE | head -1}. */
  @ParameterizedTest
  @ValueSource(strings = {"socket", "fifo"})
  void aReaderOfASocketOrANamedPipeIsOneToo(String kind) throws Exception {
    Path target = Path.of("socket:[4711]");
    if (kind.equals("fifo")) {
      target = directory.resolve("fifo");
      try (ChildProcess mkfifo = io.cairn.process.Command.of("mkfifo", target.toString()).start()) {
        assertThat(mkfifo.exitStatus()).isZero();
      }
    }
    Path descriptor = Files.createSymbolicLink(directory.resolve("1"), target);

    assertThat(exitWithoutOutput(descriptor, "--help")).isEqualTo(ExitCodes.GOOD);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aReaderThatHasGoneIsNoError() throws IOException {
    Path pipe = Files.createSymbolicLink(directory.resolve("1"), Path.of("pipe:[4711]"));

    assertThat(exitWithoutOutput(pipe, "--help")).isEqualTo(ExitCodes.GOOD);
    assertThat(exitWithoutOutput(pipe, "greet", "x")).isEqualTo(ExitCodes.BAD);

    assertThat(err.toString()).isEmpty();
  }

  private int exitWithoutOutput(Path descriptor, String... arguments) {
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(new Lost(), true)).setErr(new PrintWriter(err, true));
    line.getOut().println("something");
    return Program.exitCode(line, descriptor, arguments);
  }

  private static final class Lost extends Writer {
    @Override
    public void write(char[] text, int from, int length) throws IOException {
      throw new IOException("lost");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void whatUsersCanPutRightIsOneLine() {
    assertThat(fail(new IOException("hdfs://x/y: gone\nreally"))).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString())
        .isEqualTo("cairn: hdfs://x/y: gone; really" + System.lineSeparator());
  }

  @Test
  void aBarePathGetsItsReason() {
    fail(new UncheckedIOException(new NoSuchFileException("/a/b")));
    assertThat(err.toString()).isEqualTo("cairn: no such file or directory: /a/b\n");
  }

  @Test
  void aFailedRestoreIsForUsersToo() {
    assertThat(fail(new RestoreException("no copy is whole"))).isEqualTo(ExitCodes.REFUSED);
  }

  @Test
  void verbosePrintsTheStack() {
    assertThat(fail(new IOException("gone"), "--verbose")).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).contains("cairn: gone", "at io.cairn.cli.MainTest");
  }

  @Test
  void aDefectIsCalledOneAndShowsItsStack() {
    assertThat(fail(new IllegalStateException("impossible"))).isEqualTo(ExitCodes.DEFECT);
    assertThat(err.toString()).contains("cairn: defect: impossible", "at io.cairn.cli.MainTest");
  }

  private int fail(Exception thrown, String... more) {
    CommandLine line = Main.commandLine().addSubcommand(new Thrower(thrown));
    String[] arguments = new String[more.length + 1];
    arguments[0] = "thrower";
    System.arraycopy(more, 0, arguments, 1, more.length);
    return execute(line, arguments);
  }

  private int execute(CommandLine line, String... arguments) {
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }
}
