package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cli.Main;
import io.cairn.cli.WritableDirectory;
import io.cairn.cli.WritableFile;
import io.cairn.lab.Laboratory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The tables of {@code docs/CLI.md} are those that the commands give. */
class CommandsPageTest {
  private static final Path PAGE = Path.of("../docs/CLI.md");
  private static final String BEGIN = "<!-- commands: begin -->\n";
  private static final String END = "<!-- commands: end -->\n";

  /** Options that the page explains once, for all commands that have these. */
  private static final Set<String> OF_ALL = Set.of("--json", "--output");

  /** Options that name what a command writes at its end. */
  private static final Set<String> WRITTEN =
      Set.of("--output", "--out", "--page", "--picture", "--chart");

  /** Likewise, for those that have one of these. */
  private static final Set<String> OF_SOME = Set.of("--hadoop", "--page");

  /** A command of the tests of {@code cli}, which are on this class path. */
  private static final String OF_TESTS = "greet";

  /** Those of users and operators, and those of the laboratory. */
  static String tables() {
    return table("command", Main.commandLine())
        + "\n"
        + table("command of the laboratory", Laboratory.commandLine());
  }

  /** A row for each command that does something. */
  private static String table(String head, CommandLine line) {
    return all(line)
        .map(CommandLine::getCommandSpec)
        .filter(command -> command.subcommands().isEmpty() || options(command).count() > 0)
        .map(CommandsPageTest::row)
        .sorted()
        .collect(
            Collectors.joining(
                "", "| " + head + " | does | further options |\n|---|---|---|\n", ""));
  }

  private static Stream<CommandLine> all(CommandLine line) {
    return line.getSubcommands().values().stream()
        .distinct()
        .filter(command -> !command.getCommandName().equals(OF_TESTS))
        .filter(command -> !command.getCommandSpec().usageMessage().hidden())
        .flatMap(command -> Stream.concat(Stream.of(command), all(command)));
  }

  private static Stream<String> options(CommandSpec command) {
    return command.options().stream()
        .filter(option -> !option.hidden() && !option.inherited())
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .map(OptionSpec::longestName)
        .sorted();
  }

  private static String row(CommandSpec command) {
    String call =
        Stream.concat(
                Stream.of("bin/" + command.qualifiedName()),
                command.positionalParameters().stream().map(CommandsPageTest::label))
            .collect(Collectors.joining(" "));
    String options =
        further(options(command).toList())
            .map(name -> "`" + name + "`")
            .collect(Collectors.joining(" "));
    return "| `" + call + "` | " + firstSentence(command) + " | " + options + " |\n";
  }

  private static Stream<String> further(List<String> options) {
    boolean all = options.containsAll(OF_ALL);
    return options.stream()
        .filter(name -> !OF_SOME.contains(name) && !(all && OF_ALL.contains(name)));
  }

  private static String label(PositionalParamSpec parameter) {
    boolean grouped = parameter.group() != null && parameter.group().multiplicity().min() == 0;
    return grouped || parameter.arity().min() == 0
        ? "[" + parameter.paramLabel() + "]"
        : parameter.paramLabel();
  }

  private static String firstSentence(CommandSpec command) {
    String text =
        String.join(" ", command.usageMessage().description())
            .replace("%n", " ")
            .replace("%%", "%")
            .strip();
    return text.split("(?<=\\.)\\s", 2)[0];
  }

  @Test
  void thePageListsEveryCommandAsItIs() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    String written = page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END));
    assertThat(written)
        .as("between the marks in %s there should be%n%s", PAGE, tables())
        .isEqualTo(tables());
  }

  /** A user who waited for the work of a command must not lose what it found. */
  @Test
  void whereACommandWritesIsCheckedBeforeItsWork() {
    assertThat(
            Stream.of(Main.commandLine(), Laboratory.commandLine())
                .flatMap(CommandsPageTest::all)
                .flatMap(command -> command.getCommandSpec().options().stream())
                .filter(option -> WRITTEN.contains(option.longestName())))
        .hasSizeGreaterThan(20)
        .allSatisfy(
            option ->
                assertThat(option.converters())
                    .as(option.command().qualifiedName() + " " + option.longestName())
                    .hasOnlyElementsOfTypes(WritableFile.class, WritableDirectory.class)
                    .hasSize(1));
  }
}
