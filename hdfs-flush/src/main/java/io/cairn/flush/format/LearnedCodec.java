package io.cairn.flush.format;

import io.cairn.Level;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.PeriodBound;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes the measurements of a group as text, one fact per line. The file lies beside a manifest
 * and is no part of the checkpoint: if it is lost or damaged, the next run measures again.
 *
 * <pre>
 *   cairn-cadence 1
 *   seconds 5321.7                     observed
 *   iteration 0.0123                   seconds of one
 *   period NODE 40 WITHIN              and why it is not longer
 *   failures NODE 2
 *   cost NODE 0.0 0.021 0.004          blocking and flush seconds, overhead factor
 * </pre>
 */
public final class LearnedCodec {
  /** A longer text is neither written nor read. */
  public static final int MAX_BYTES = 16 << 10;

  private static final String FIRST_LINE = "cairn-cadence 1";

  private LearnedCodec() {}

  /** The text. */
  public static byte[] encode(Learned learned) {
    StringBuilder out = new StringBuilder(FIRST_LINE).append('\n');
    out.append("seconds ").append(learned.seconds()).append('\n');
    out.append("iteration ").append(learned.iterationSeconds()).append('\n');
    learned
        .periods()
        .forEach(
            (level, every) ->
                out.append("period " + level + " " + every + " " + bound(learned, level) + "\n"));
    learned
        .failures()
        .forEach((level, count) -> out.append("failures " + level + " " + count + "\n"));
    learned
        .costs()
        .forEach(
            (level, cost) ->
                out.append(
                    "cost "
                        + level
                        + " "
                        + cost.blockingSeconds()
                        + " "
                        + cost.flushSeconds()
                        + " "
                        + cost.overheadFactor()
                        + "\n"));
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static PeriodBound bound(Learned learned, Level level) {
    return learned.bounds().getOrDefault(level, PeriodBound.START);
  }

  /** The measurements of a text; empty if it is damaged, or of another version. */
  public static Optional<Learned> decode(byte[] text) {
    String[] lines = new String(text, StandardCharsets.UTF_8).split("\n", -1);
    if (!lines[0].equals(FIRST_LINE)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Lines().read(lines));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** The values read so far. */
  private static final class Lines {
    private final Map<Level, Long> periods = new EnumMap<>(Level.class);
    private final Map<Level, PeriodBound> bounds = new EnumMap<>(Level.class);
    private final Map<Level, Integer> failures = new EnumMap<>(Level.class);
    private final Map<Level, Learned.Cost> costs = new EnumMap<>(Level.class);
    private double seconds;
    private double iterationSeconds;

    Learned read(String[] lines) {
      for (int index = 1; index < lines.length; index++) {
        if (!lines[index].isEmpty()) {
          line(lines[index].split(" ", -1));
        }
      }
      return new Learned(periods, bounds, seconds, iterationSeconds, failures, costs);
    }

    private void line(String[] words) {
      switch (words[0]) {
        case "seconds" -> seconds = Double.parseDouble(words[1]);
        case "iteration" -> iterationSeconds = Double.parseDouble(words[1]);
        case "period" -> {
          periods.put(Level.valueOf(words[1]), Long.parseLong(words[2]));
          bounds.put(Level.valueOf(words[1]), PeriodBound.valueOf(words[3]));
        }
        case "failures" -> failures.put(Level.valueOf(words[1]), Integer.parseInt(words[2]));
        case "cost" ->
            costs.put(
                Level.valueOf(words[1]),
                new Learned.Cost(
                    Double.parseDouble(words[2]),
                    Double.parseDouble(words[3]),
                    Double.parseDouble(words[4])));
        default -> throw new IllegalArgumentException("no fact of a cadence: " + words[0]);
      }
    }
  }
}
