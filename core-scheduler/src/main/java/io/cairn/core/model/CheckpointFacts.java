package io.cairn.core.model;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The facts about one checkpoint that a retention policy asks for, as entries of a manifest: {@code
 * checkpoint.score} and {@code checkpoint.time}. Those of rank 0 hold for the group. Immutable.
 *
 * @param score of the training at this checkpoint, finite; empty if it has none
 * @param sealed when its manifest was written, by the clock of the coordinator, to a millisecond;
 *     empty in manifests of older versions
 */
public record CheckpointFacts(OptionalDouble score, Optional<Instant> sealed) {
  /** Nothing is known. */
  public static final CheckpointFacts NONE =
      new CheckpointFacts(OptionalDouble.empty(), Optional.empty());

  private static final String SCORE = Fingerprint.OF_CHECKPOINT + "score";
  private static final String TIME = Fingerprint.OF_CHECKPOINT + "time";
  private static final Pattern NUMBER =
      Pattern.compile("-?\\d{1,20}(?:\\.\\d{1,20})?(?:E-?\\d{1,3})?");

  /** Drops a score that is not finite, and what is below a millisecond. */
  public CheckpointFacts {
    score = finite(score);
    sealed = sealed.map(time -> time.truncatedTo(ChronoUnit.MILLIS));
  }

  /** A score alone, none if it is not finite. */
  public static CheckpointFacts scored(OptionalDouble score) {
    return new CheckpointFacts(score, Optional.empty());
  }

  /** The facts among these entries; values of another form count as absent. */
  public static CheckpointFacts of(Fingerprint entries) {
    return new CheckpointFacts(
        number(entries.entries().get(SCORE)), time(entries.entries().get(TIME)));
  }

  /** The entries with these facts, in the place of earlier ones of the same name. */
  public Fingerprint addedTo(Fingerprint entries) {
    if (equals(NONE)) {
      return entries;
    }
    SortedMap<String, String> all = new TreeMap<>(entries.entries());
    score.ifPresent(value -> all.put(SCORE, Double.toString(value)));
    sealed.ifPresent(value -> all.put(TIME, value.toString()));
    return new Fingerprint(all);
  }

  private static OptionalDouble finite(OptionalDouble score) {
    return score.isPresent() && Double.isFinite(score.getAsDouble())
        ? score
        : OptionalDouble.empty();
  }

  private static OptionalDouble number(@Nullable String text) {
    return text != null && NUMBER.matcher(text).matches()
        ? OptionalDouble.of(Double.parseDouble(text))
        : OptionalDouble.empty();
  }

  private static Optional<Instant> time(@Nullable String text) {
    try {
      return text == null ? Optional.empty() : Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty(); // another program's entry: no fact
    }
  }
}
