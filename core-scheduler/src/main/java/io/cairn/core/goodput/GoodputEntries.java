package io.cairn.core.goodput;

import io.cairn.core.model.Fingerprint;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A rank's account as entries of a manifest: {@code checkpoint.goodput}, and one {@code
 * checkpoint.goodput.EPOCH} for each epoch.
 *
 * <pre>
 *   checkpoint.goodput    2026-11-23T08:09:10.123Z 4711 35012 training   time, furthest iteration,
 *                                                                        usual time in µs, state
 *   checkpoint.goodput.3  120000 340 12 0 0 0 0 2300 0 0                 ms by cause, as {@link Cause}
 * </pre>
 */
public final class GoodputEntries {
  private static final String NAME = Fingerprint.OF_CHECKPOINT + "goodput";
  private static final String ENDED = "ended";
  private static final String TRAINING = "training";
  private static final Pattern HEAD =
      Pattern.compile("(\\S{1,40}) (-1|\\d{1,18}) (\\d{1,15}) (training|ended)");

  /** Of all causes; so ten of them fit into the value of an entry. */
  private static final Pattern TIMES = Pattern.compile("\\d{1,11}(?: \\d{1,11}){9}");

  private static final Pattern EPOCH = Pattern.compile("\\d{1,13}");
  private static final long MOST_MILLIS = 99_999_999_999L;

  private GoodputEntries() {}

  /** The entries, by name. A time above 3 years per epoch and cause counts as that. */
  public static SortedMap<String, String> of(GoodputRecord record) {
    SortedMap<String, String> entries = new TreeMap<>();
    entries.put(
        NAME,
        Instant.ofEpochMilli(record.asOfMillis())
            + " "
            + record.furthest()
            + " "
            + record.usualNanos() / 1000
            + " "
            + (record.ended() ? ENDED : TRAINING));
    record.epochs().forEach((epoch, times) -> entries.put(NAME + "." + epoch, text(times)));
    return entries;
  }

  private static String text(CauseTimes times) {
    return Stream.of(Cause.values())
        .map(cause -> Math.min(times.of(cause) / 1_000_000, MOST_MILLIS))
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  /** The account among these entries; empty if there is none, or one of another form. */
  public static Optional<GoodputRecord> in(Fingerprint entries) {
    String head = entries.entries().get(NAME);
    Matcher matcher = HEAD.matcher(head == null ? "" : head);
    SortedMap<Long, CauseTimes> epochs = epochs(entries);
    if (!matcher.matches() || epochs == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new GoodputRecord(
              Instant.parse(matcher.group(1)).toEpochMilli(),
              Long.parseLong(matcher.group(2)),
              1000 * Long.parseLong(matcher.group(3)),
              matcher.group(4).equals(ENDED),
              epochs));
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.empty(); // another program's entry
    }
  }

  private static @Nullable SortedMap<Long, CauseTimes> epochs(Fingerprint entries) {
    SortedMap<Long, CauseTimes> epochs = new TreeMap<>();
    for (Map.Entry<String, String> entry : entries.entries().entrySet()) {
      if (entry.getKey().startsWith(NAME + ".")) {
        String epoch = entry.getKey().substring(NAME.length() + 1);
        if (!EPOCH.matcher(epoch).matches() || !TIMES.matcher(entry.getValue()).matches()) {
          return null;
        }
        epochs.put(Long.parseLong(epoch), times(entry.getValue()));
      }
    }
    return epochs;
  }

  private static CauseTimes times(String text) {
    Map<Cause, Long> nanos = new EnumMap<>(Cause.class);
    Iterator<Cause> causes = List.of(Cause.values()).iterator();
    for (String millis : text.split(" ", -1)) {
      nanos.put(causes.next(), 1_000_000 * Long.parseLong(millis));
    }
    return new CauseTimes(nanos);
  }
}
