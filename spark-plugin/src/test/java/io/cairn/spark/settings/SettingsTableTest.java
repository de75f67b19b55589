package io.cairn.spark.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.engine.config.KnownSettings;
import io.cairn.engine.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of settings in {@code docs/SETTINGS.md} is the one that {@link KnownSettings#ALL}
 * gives.
 */
class SettingsTableTest {
  private static final Path PAGE = Path.of("../docs/SETTINGS.md");
  private static final String BEGIN = "<!-- settings: begin -->\n";
  private static final String END = "<!-- settings: end -->\n";

  private static String table() {
    return KnownSettings.ALL.stream()
        .map(SettingsTableTest::row)
        .collect(Collectors.joining("", "| setting | default | meaning |\n|---|---|---|\n", ""));
  }

  private static String row(Setting setting) {
    String value = setting.defaultValue().isEmpty() ? "–" : "`" + setting.defaultValue() + "`";
    return "| `"
        + SparkSettings.PREFIX
        + setting.name()
        + "` | "
        + value
        + " | "
        + setting.meaning()
        + " |\n";
  }

  @Test
  void thePageListsEverySettingAsItIs() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    String written = page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END));
    assertThat(written)
        .as("between the marks in %s there should be%n%s", PAGE, table())
        .isEqualTo(table());
  }
}
