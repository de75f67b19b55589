package io.cairn.spark.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.cairn.spark.ranks.StandbyDesk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Registry, page, dashboard and alert rules name the same metrics. */
class KnownMetricsTest {
  private static final Path PAGE = Path.of("../docs/METRICS.md");
  private static final List<Path> FILES =
      List.of(Path.of("../docs/metrics/dashboard.json"), Path.of("../docs/metrics/alerts.yml"));
  private static final String BEGIN = "<!-- metrics: begin -->\n";
  private static final String END = "<!-- metrics: end -->\n";
  private static final Pattern SCRAPED =
      Pattern.compile("plugin_io_cairn_spark_CairnPlugin_(\\w+?)_Value");

  private static String table() {
    return KnownMetrics.ALL.stream()
        .map(each -> "| `%s` | %s | %s |%n".formatted(each.name(), each.unit(), each.meaning()))
        .collect(Collectors.joining("", "| metric | unit | meaning |\n|---|---|---|\n", ""));
  }

  private static List<String> names() {
    return KnownMetrics.ALL.stream().map(Metric::name).toList();
  }

  @Test
  void everyMetricIsRegistered() {
    MetricRegistry registry = new MetricRegistry();

    CairnMetrics.registerFailures(registry);
    CairnMetrics.registerProcess(registry, Optional::empty);
    CairnMetrics.register(registry, new StandbyDesk(1));
    CairnMetrics.registerLost(registry, new ApplicationTotals());

    assertThat(registry.getNames()).containsExactlyInAnyOrderElementsOf(names());
    assertThat(registry.getGauges())
        .as("counters before the first join")
        .hasEntrySatisfying("captures", gauge -> assertThat(gauge.getValue()).isEqualTo(0L));
  }

  @Test
  void thePageListsEveryMetric() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).containsOnlyOnce(BEGIN).containsOnlyOnce(END);
    String written = page.substring(page.indexOf(BEGIN) + BEGIN.length(), page.indexOf(END));
    assertThat(written)
        .as("between the marks in %s there should be%n%s", PAGE, table())
        .isEqualTo(table());
  }

  @Test
  void dashboardAndAlertsNameMetricsThatExist() throws IOException {
    List<String> scraped =
        names().stream().map(name -> name.replaceAll("[^a-zA-Z0-9]", "_")).toList();
    for (Path file : FILES) {
      List<String> named =
          SCRAPED.matcher(Files.readString(file)).results().map(found -> found.group(1)).toList();

      assertThat(named).as("metrics in %s", file).isNotEmpty().isSubsetOf(scraped);
    }
  }
}
