package io.cairn.spark.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.engine.config.Setting;
import io.cairn.engine.config.Setting.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables in {@code docs/SETTINGS.md} are those that the declarations give. */
class SettingsTableTest {
  private static final Path PAGE = Path.of("../docs/SETTINGS.md");

  private static String table(Use use) {
    Map<String, List<Setting<?>>> rows = new LinkedHashMap<>();
    for (Setting<?> setting : Setting.all()) {
      if (setting.use() == use) {
        rows.computeIfAbsent(setting.row(), row -> new ArrayList<>()).add(setting);
      }
    }
    return rows.values().stream()
        .map(SettingsTableTest::row)
        .collect(
            Collectors.joining(
                "", "| setting | value | default | meaning |\n|---|---|---|---|\n", ""));
  }

  private static String row(List<Setting<?>> places) {
    Setting<?> first = places.get(0);
    return String.format(
        "| `%s` | %s | %s | %s |%n",
        (first.use() == Use.PROPERTY ? "" : SparkSettings.PREFIX) + first.row(),
        first.values(),
        places.stream().map(SettingsTableTest::defaultOf).collect(Collectors.joining(", ")),
        first.meaning());
  }

  private static String defaultOf(Setting<?> setting) {
    String value = setting.defaultValue().isEmpty() ? "–" : "`" + setting.defaultValue() + "`";
    return setting.name().equals(setting.row())
        ? value
        : setting.name().substring(0, setting.name().indexOf('.')) + " " + value;
  }

  @ParameterizedTest
  @EnumSource
  void thePageListsEverySettingAsItIs(Use use) throws IOException {
    String begin = "<!-- " + use + ": begin -->\n";
    String end = "<!-- " + use + ": end -->\n";
    String page = Files.readString(PAGE);
    assertThat(page).containsOnlyOnce(begin).containsOnlyOnce(end);
    String written = page.substring(page.indexOf(begin) + begin.length(), page.indexOf(end));
    assertThat(written)
        .as("between the marks in %s there should be%n%s", PAGE, table(use))
        .isEqualTo(table(use));
  }
}
