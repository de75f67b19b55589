package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.TypeConversionException;

/** Where a report goes, with each of the options. */
class JsonOptionTest {
  private static final String JSON =
      """
      {
        "good" : true
      }
      """;

  @TempDir Path directory;

  record Report(boolean good) {}

  @Command(name = "judge")
  private static final class Judge implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
      json.remarks().println("a remark");
      json.print(new Report(true), out -> out.println("all good"));
      return ExitCodes.GOOD;
    }
  }

  private static CommandRun judge(String... options) {
    return CommandRun.of(new CommandLine(new Judge()), options);
  }

  @Test
  void aReportIsText() {
    assertThat(judge().out()).isEqualTo("a remark\nall good\n");
    assertThat(judge().err()).isEmpty();
  }

  @Test
  void withJsonStandardOutputHasNothingElse() {
    assertThat(judge("--json").out()).isEqualTo(JSON);
    assertThat(judge("--json").err()).isEqualTo("a remark\n");
  }

  @Test
  void withBothTheJsonGoesToTheFile() throws IOException {
    Path file = directory.resolve("new/report.json");

    CommandRun run = judge("--json", "--output", file.toString());

    assertThat(Files.readString(file)).isEqualTo(JSON);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).isEqualTo("a remark\nall good\n");
  }

  @Test
  void aFileAloneIsWrittenBesideTheText() throws IOException {
    Path file = directory.resolve("report.json");

    assertThat(judge("--output", file.toString())).isEqualTo(judge());

    assertThat(Files.readString(file)).isEqualTo(JSON);
  }

  @Command(name = "work")
  private final class Work implements Callable<Integer> {
    @Mixin private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException {
      Files.createFile(directory.resolve("begun"));
      json.print(new Report(true), out -> {});
      return ExitCodes.GOOD;
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedBeforeTheWork() throws IOException {
    Path file = Files.writeString(directory.resolve("report.json"), "older");
    for (String bad : List.of("report.json/more", "report.json/a/b", "", ".", "\0")) {
      String given = bad.isEmpty() ? bad : directory + "/" + bad;
      CommandLine line = new CommandLine(new Work());
      CommandRun run = CommandRun.of(line, "--output", given);

      assertThat(run.exit()).as("--output '%s'", given).isEqualTo(ExitCodes.REFUSED);
      assertThat(run.err()).contains("--output", "'" + given + "'");
    }
    assertThat(directory.resolve("begun")).doesNotExist();
    assertThat(file).content().isEqualTo("older");
  }

  @Test
  void theCheckLeavesWhatIsThere() throws IOException {
    Path file = Files.writeString(directory.resolve("report.json"), "older");
    WritableFile check = new WritableFile();

    assertThat(check.convert(file.toString())).isEqualTo(file).content().isEqualTo("older");
    assertThat(check.convert(directory + "/new/report.json")).doesNotExist();
    assertThat(directory.resolve("new")).doesNotExist();
    assertThat(check.convert("/dev/null")).isEqualTo(Path.of("/dev/null"));
    assertThat(check.convert("report.json")).isEqualTo(Path.of("report.json"));
  }

  @Test
  void aDirectoryIsCheckedLikewise() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "");
    WritableDirectory check = new WritableDirectory();

    assertThat(check.convert(directory.toString())).isEqualTo(directory);
    assertThat(check.convert(directory + "/new/pictures")).doesNotExist();
    assertThat(directory.resolve("new")).doesNotExist();
    for (String bad : List.of(file.toString(), file + "/pictures", "", "\0")) {
      assertThatThrownBy(() -> check.convert(bad))
          .isInstanceOf(TypeConversionException.class)
          .hasMessageContaining("'" + bad + "'");
    }
  }
}
