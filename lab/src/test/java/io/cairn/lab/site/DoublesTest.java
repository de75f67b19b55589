package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Artifacts of a release have no test doubles: those are in testkit, and in tests. */
class DoublesTest {
  /** No libraries: nothing of them is deployed. */
  private static final Set<String> NOT_DEPLOYED = Set.of("examples", "lab", "testkit");

  private static final Pattern DOUBLE =
      Pattern.compile("(Crashing|Delayed|Fake|Faulty|Flaky|Mock|Stub)[A-Z].*\\.java");

  private static final Pattern TESTKIT =
      Pattern.compile("<artifactId>cairn-testkit</artifactId>(.*?)</dependency>");

  @Test
  void noDeployedModuleHasOne() throws IOException {
    List<String> doubles = new ArrayList<>();
    int classes = 0;
    for (Path module : modules()) {
      Path sources = module.resolve("src/main/java");
      if (Files.isDirectory(sources) && !NOT_DEPLOYED.contains(module.getFileName().toString())) {
        for (Path file : filesBelow(sources)) {
          classes++;
          if (DOUBLE.matcher(file.getFileName().toString()).matches()) {
            doubles.add(file.toString());
          }
        }
      }
    }
    assertThat(classes).isGreaterThan(1000);
    assertThat(doubles).as("test doubles among the sources of a release").isEmpty();
  }

  @Test
  void modulesOfAReleaseSeeTestkitInTestsAlone() throws IOException {
    List<String> uses = new ArrayList<>();
    int found = 0;
    for (Path module : modules()) {
      for (String pom : List.of("pom.xml", "spark-4.xml")) {
        Path file = module.resolve(pom);
        if (Files.exists(file)) {
          for (MatchResult use : TESTKIT.matcher(Files.readString(file)).results().toList()) {
            found++;
            if (!use.group(1).contains("<scope>test</scope>")) {
              uses.add(module.getFileName().toString());
            }
          }
        }
      }
    }
    assertThat(found).as("modules that use it").isGreaterThan(2);
    assertThat(uses).containsExactly("lab");
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(".."))) {
      return all.filter(Files::isDirectory).toList();
    }
  }

  private static List<Path> filesBelow(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }
}
