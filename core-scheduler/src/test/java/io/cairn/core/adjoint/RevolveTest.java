package io.cairn.core.adjoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class RevolveTest {
  @Test
  void advancesAsOftenAsTheOracleSays() throws IOException {
    int cases = 0;
    for (JsonNode example : oracle()) {
      if (!example.path("kind").asText().equals("binomial")) {
        continue;
      }
      long steps = example.path("problem").path("n").asLong();
      int snapshots = example.path("problem").path("s").asInt();
      long expected = example.path("answer").path("advances").asLong();
      assertThat(Binomial.advances(steps, snapshots)).as("%s", example).isEqualTo(expected);
      JsonNode places = example.path("answer").path("firstPlaces");
      if (!places.isEmpty()) {
        assertThat(StreamSupport.stream(places.spliterator(), false).map(JsonNode::asLong))
            .as("%s", example)
            .contains(Binomial.firstPlace(steps, snapshots));
      }
      cases++;
    }
    assertThat(cases).isGreaterThan(10);
  }

  @Test
  void runsWhatItPredictsWithinItsSlots() {
    LongStream.rangeClosed(1, 60)
        .forEach(
            steps -> {
              for (int snapshots = 1; snapshots <= 12; snapshots++) {
                Revolve revolve = new Revolve(steps, snapshots);
                assertThat(Judge.advances(steps, snapshots, revolve))
                    .as("%s steps, %s snapshots", steps, snapshots)
                    .isEqualTo(revolve.advances());
              }
            });
  }

  @Test
  void namesTheArgumentThatIsOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Revolve(0, 1))
        .withMessageContaining("steps must be from 1 to");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Revolve(Binomial.MOST_STEPS + 1, 1))
        .withMessageContaining("steps must be from 1 to");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Revolve(1, 0))
        .withMessageContaining("snapshots must be at least 1");
  }

  private static JsonNode oracle() throws IOException {
    try (InputStream file = RevolveTest.class.getResourceAsStream("/oracles/adjoint.json")) {
      return new ObjectMapper().readTree(Objects.requireNonNull(file)).path("cases");
    }
  }
}
