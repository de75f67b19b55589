package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The table of budgets has a row for each module of a build, and no module exceeds its own. How
 * long tests take on this machine is no matter of a test; {@code .ci/times --write} measures it.
 */
class BudgetsTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| (\\d+) \\| (.+) \\|$");
  private static final Pattern MODULE = Pattern.compile("<module>([a-z0-9-]+)</module>");

  /** The modules that a property chooses, since their files differ by the line of Spark. */
  private static final String BY_PROPERTY = "spark-plugin";

  private static List<MatchResult> rows() throws IOException {
    String page = Files.readString(Path.of("../docs/TESTING.md"));
    return ROW.matcher(page.substring(page.indexOf("## Budgets"))).results().toList();
  }

  @Test
  void everyModuleHasABudget() throws IOException {
    List<String> modules =
        MODULE
            .matcher(Files.readString(Path.of("../pom.xml")))
            .results()
            .map(m -> m.group(1))
            .toList();

    assertThat(rows().stream().map(row -> row.group(1)))
        .containsAll(modules)
        .contains(BY_PROPERTY)
        .hasSize(modules.size() + 1);
  }

  @Test
  void noModuleTookMoreThanItsBudget() throws IOException {
    for (MatchResult row : rows()) {
      assertThat(row.group(3)).as("seconds of %s", row.group(1)).matches("\\d+");
      assertThat(Integer.parseInt(row.group(3)))
          .as("seconds of %s; its budget, or its tests, must change", row.group(1))
          .isLessThanOrEqualTo(Integer.parseInt(row.group(2)));
    }
  }
}
