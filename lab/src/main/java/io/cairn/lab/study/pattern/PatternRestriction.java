package io.cairn.lab.study.pattern;

import io.cairn.core.pattern.Check;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The given parts of a pattern; only the rest is searched for. Immutable.
 *
 * @param subset the levels in use, or null
 * @param counts the counts, or null; they need a subset
 * @param lengthSeconds the length, or null
 */
public record PatternRestriction(
    @Nullable List<Integer> subset,
    @Nullable List<Integer> counts,
    @Nullable Double lengthSeconds) {
  /** Nothing is given. */
  public static final PatternRestriction NONE = new PatternRestriction(null, null, null);

  /** Checks what is given by itself. */
  public PatternRestriction {
    if (counts != null) {
      if (subset == null) {
        throw new IllegalArgumentException(
            "counts " + counts + " need the subset of levels that they are for");
      }
      CheckpointPattern.segments(counts, subset.size());
      counts = List.copyOf(counts);
    }
    if (subset != null) {
      subset = List.copyOf(subset);
    }
    if (lengthSeconds != null) {
      Check.positive(lengthSeconds, "lengthSeconds of a pattern");
    }
  }
}
