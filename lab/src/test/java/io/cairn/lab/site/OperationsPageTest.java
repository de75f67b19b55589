package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page for operators has each alarm and each event. */
class OperationsPageTest {
  private static final Path PAGE = Path.of("../docs/OPERATIONS.md");
  private static final Path ALERTS = Path.of("../docs/metrics/alerts.yml");
  private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");
  private static final Pattern SECTION =
      Pattern.compile("### `(\\w+)`\n\n\\*\\*Meaning:\\*\\* .+\n\n\\*\\*Action:\\*\\* .+\n");

  @Test
  void eachAlarmHasASectionWithItsMeaningAndAnAction() throws IOException {
    List<String> alerts =
        ALERT.matcher(Files.readString(ALERTS)).results().map(found -> found.group(1)).toList();
    List<String> sections =
        SECTION.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)).toList();

    assertThat(alerts).isNotEmpty();
    assertThat(sections).isEqualTo(alerts);
  }

  @Test
  void eachEventIsNamed() throws IOException {
    String page = Files.readString(PAGE);
    List<String> events =
        Arrays.stream(CairnEvent.class.getPermittedSubclasses())
            .map(event -> "`" + event.getSimpleName() + "`")
            .toList();

    assertThat(page).contains(events);
  }
}
