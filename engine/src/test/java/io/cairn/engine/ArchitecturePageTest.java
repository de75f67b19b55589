package io.cairn.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The architecture page draws the arrows between the engine's packages as they are. */
class ArchitecturePageTest {
  private static final String ROOT = "io.cairn.engine.";
  private static final Path PAGE = Path.of("..", "docs", "ARCHITECTURE.md");
  private static final Pattern ARROW = Pattern.compile("[\\w.]+ --> [\\w.]+");

  @Test
  void thePictureShowsEveryArrowBetweenPackages() throws IOException {
    String page = Files.readString(PAGE);
    String picture =
        page.substring(
            page.indexOf("<!-- engine: begin -->"), page.indexOf("<!-- engine: end -->"));

    Set<String> drawn =
        ARROW
            .matcher(picture)
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(drawn).isEqualTo(arrows());
  }

  private static Set<String> arrows() {
    return new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.cairn.engine")
            .stream()
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(ArchitecturePageTest::crossesPackages)
            .map(d -> room(d.getOriginClass()) + " --> " + room(d.getTargetClass()))
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean crossesPackages(Dependency dependency) {
    String target = dependency.getTargetClass().getPackageName();
    return target.startsWith(ROOT) && !target.equals(dependency.getOriginClass().getPackageName());
  }

  private static String room(JavaClass type) {
    return type.getPackageName().substring(ROOT.length());
  }
}
