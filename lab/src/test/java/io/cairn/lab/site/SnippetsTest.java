package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cairn.engine.config.KnownSettings;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.tools.nsc.MainClass;

/** Whole programs on pages for users: they compile, and the settings of pages exist. */
class SnippetsTest {
  private static final Path DOCS = Path.of("../docs");
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final Pattern PUBLIC_CLASS = Pattern.compile("public class (\\w+)");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^\\s*import (?:static )?(io\\.cairn[\\w.]*?)\\.(?:[A-Z*{_].*)$");
  private static final Pattern API =
      Pattern.compile("io\\.cairn(\\.(adjoint|dl4j|spark|training)(\\.[a-z]+)*)?");
  private static final Pattern SETTING = Pattern.compile("spark\\.cairn\\.([A-Za-z.]*[A-Za-z])");

  @TempDir Path directory;

  private static MarkdownPage page(String name) throws IOException {
    return MarkdownPage.read(DOCS.resolve(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GETTING-STARTED.md", "DL4J.md", "CLUSTERS.md"})
  void everyProgramInJavaCompiles(String name) throws IOException {
    List<String> programs =
        page(name).code("java").stream().filter(code -> code.contains("public class")).toList();

    assertThat(programs).isNotEmpty();
    assertThat(errorsInJava(programs)).as("errors in programs of %s", name).isEmpty();
  }

  @Test
  void aProgramInJavaThatNamesNothingDoesNotCompile() throws IOException {
    assertThat(errorsInJava(List.of("public class Wrong { io.cairn.absent.Absent absent; }")))
        .contains("package io.cairn.absent does not exist");
  }

  private String errorsInJava(List<String> programs) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String program : programs) {
      Matcher found = PUBLIC_CLASS.matcher(program);
      assertThat(found.find()).as("a public class in %s", program).isTrue();
      sources.add(Files.writeString(directory.resolve(found.group(1) + ".java"), program));
    }
    return PageProgram.errors(directory, sources);
  }

  /** Those of io.cairn.adjoint, dl4j, spark and training are the API, too. */
  @Test
  void everyPageImportsTheApiAlone() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(DOCS.resolve("../README.md")));
    try (Stream<Path> all = Files.list(DOCS)) {
      all.filter(path -> path.toString().endsWith(".md")).forEach(pages::add);
    }
    List<String> others = new ArrayList<>();
    for (Path path : pages) {
      MarkdownPage page = MarkdownPage.read(path);
      for (String language : List.of("java", "scala")) {
        page.code(language).stream()
            .flatMap(code -> IMPORT.matcher(code).results())
            .map(found -> found.group(1))
            .filter(name -> !API.matcher(name).matches())
            .forEach(name -> others.add(path.getFileName() + ": " + name));
      }
    }
    assertThat(others).isEmpty();
  }

  @Test
  void everyProgramInScalaCompiles() throws IOException {
    List<String> programs = page("GETTING-STARTED.md").code("scala");

    assertThat(programs).isNotEmpty();
    for (String program : programs) {
      Path file = Files.writeString(directory.resolve("Program.scala"), program);
      String[] words = {"-classpath", CLASS_PATH, "-d", directory.toString(), file.toString()};
      assertThat(new MainClass().process(words)).as("see the compiler's output").isTrue();
    }
  }

  /** PySpark itself is not at hand, so nothing runs the program. */
  @Test
  void everyProgramInPythonParses() throws IOException, InterruptedException {
    assumeThat(Command.of("python3", "--version").withoutErrors().run()).isZero();
    List<String> programs = page("GETTING-STARTED.md").code("python");

    assertThat(programs).isNotEmpty();
    for (String program : programs) {
      Path file = Files.writeString(directory.resolve("program.py"), program);
      assertThat(Command.of("python3", "-m", "py_compile", file.toString()).run()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GETTING-STARTED.md", "CLUSTERS.md", "OPERATIONS.md"})
  void everySettingOfAPageExists(String name) throws IOException {
    String text = Files.readString(DOCS.resolve(name));
    List<String> named = SETTING.matcher(text).results().map(found -> found.group(1)).toList();

    assertThat(named).isNotEmpty().allMatch(KnownSettings::isKnown);
  }
}
