package io.cairn.lab.study.pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.assertj.core.data.Percentage;

/** Reads the values that were computed independently. */
final class References {
  /** 1e-9 relative, as the files state for closed forms and exact values. */
  static final Percentage CLOSED_FORM = Percentage.withPercentage(1e-7);

  private References() {}

  static JsonNode read(String file) {
    try (InputStream in = References.class.getResourceAsStream(file)) {
      return new ObjectMapper().readTree(Objects.requireNonNull(in, file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Integer> integers(JsonNode array) {
    List<Integer> integers = new ArrayList<>();
    array.forEach(each -> integers.add(each.intValue()));
    return integers;
  }

  static List<Double> numbers(JsonNode array) {
    List<Double> numbers = new ArrayList<>();
    array.forEach(each -> numbers.add(each.doubleValue()));
    return numbers;
  }

  /** Levels from arrays; recoveries are as long as checkpoints if none are given. */
  static LevelStack stack(List<Double> rates, List<Double> costs, List<Double> recoveries) {
    List<CheckpointLevel> levels = new ArrayList<>();
    for (int i = 0; i < rates.size(); i++) {
      double recovery = recoveries.isEmpty() ? costs.get(i) : recoveries.get(i);
      levels.add(new CheckpointLevel("level-" + (i + 1), rates.get(i), costs.get(i), recovery));
    }
    return new LevelStack(levels);
  }

  /** One of the sets of parameters of the pattern file. */
  static LevelStack set(JsonNode file, String name) {
    JsonNode set = file.at("/sets/" + name);
    List<Double> rates =
        set.has("lambda")
            ? numbers(set.get("lambda"))
            : numbers(set.get("mtbf")).stream().map(mtbf -> 1 / mtbf).toList();
    return stack(rates, numbers(set.get("C")), set.has("R") ? numbers(set.get("R")) : List.of());
  }

  /** Assumptions from a key such as {@code everywhere/own}. */
  static PatternAssumptions assumptions(String key) {
    String[] parts = key.toUpperCase(Locale.ROOT).replace('-', '_').split("/", -1);
    return new PatternAssumptions(
        CostModel.INDEPENDENT, FailureModel.valueOf(parts[0]), RecoveryCost.valueOf(parts[1]));
  }
}
