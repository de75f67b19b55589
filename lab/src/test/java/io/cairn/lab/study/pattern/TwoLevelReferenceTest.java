package io.cairn.lab.study.pattern;

import static io.cairn.lab.study.pattern.References.CLOSED_FORM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** Every value of the file of the two-level models, within the tolerance that it states. */
class TwoLevelReferenceTest {
  private static final JsonNode FILE = References.read("nonblocking.json");

  @Test
  void expectedTimes() {
    assertThat(FILE.get("fixtures")).hasSize(14);
    for (JsonNode fixture : FILE.get("fixtures")) {
      TwoLevelPlatform platform = platform(fixture.get("params"));
      int segments = fixture.get("m").intValue();
      double work = fixture.get("t").doubleValue();
      int flush = fixture.get("F").intValue();
      double nonBlocking = fixture.get("E_nonblocking").doubleValue();
      double blocking = fixture.get("E_blocking").doubleValue();
      TwoLevelClosedForm form = new TwoLevelClosedForm(platform);
      TwoLevelChain chain = new TwoLevelChain(platform);
      assertThat(form.nonBlocking(segments, work, flush)).isCloseTo(nonBlocking, CLOSED_FORM);
      assertThat(chain.nonBlocking(segments, work, flush)).isCloseTo(nonBlocking, CLOSED_FORM);
      assertThat(form.blocking(segments, work)).isCloseTo(blocking, CLOSED_FORM);
      assertThat(chain.blocking(segments, work)).isCloseTo(blocking, CLOSED_FORM);
    }
  }

  @Test
  void efficiencies() {
    assertThat(FILE.get("efficiency_table")).hasSize(9);
    for (JsonNode row : FILE.get("efficiency_table")) {
      TwoLevelPlatform platform = scaled(row.get("F").doubleValue(), row.get("C").doubleValue());
      TwoLevelOptimum blocking = TwoLevelOptimum.blocking(platform);
      TwoLevelOptimum nonBlocking = TwoLevelOptimum.nonBlocking(platform);
      matches(blocking, row.get("blocking"));
      matches(nonBlocking, row.get("nonblocking"));
      assertThat(nonBlocking.flushSegments()).isEqualTo(nonBlocking.segments());
    }
  }

  private static void matches(TwoLevelOptimum actual, JsonNode expected) {
    double efficiency = expected.get("eff").doubleValue();
    assertThat(actual.efficiency()).isCloseTo(efficiency, within(1e-4));
    if (efficiency > 1e-4) {
      assertThat(actual.efficiency()).isGreaterThanOrEqualTo(efficiency * (1 - 1e-9));
      assertThat(actual.segments()).isCloseTo(expected.get("m").intValue(), within(2));
    }
  }

  /** The platform of the paper, with its failures and its upper level's cost multiplied. */
  private static TwoLevelPlatform scaled(double failures, double cost) {
    double flush = 6380 * cost;
    return new TwoLevelPlatform(
        1.757e-5 * failures,
        1.3774e-6 * failures,
        72.5,
        72.5,
        flush,
        flush,
        flush,
        0.00184,
        true,
        true);
  }

  private static TwoLevelPlatform platform(JsonNode params) {
    return new TwoLevelPlatform(
        params.get("l1").doubleValue(),
        params.get("l2").doubleValue(),
        params.get("c1").doubleValue(),
        params.get("r1").doubleValue(),
        params.get("c2").doubleValue(),
        params.get("lat").doubleValue(),
        params.get("r2").doubleValue(),
        params.get("alpha").doubleValue(),
        params.get("r1first").booleanValue(),
        params.get("esc").booleanValue());
  }
}
