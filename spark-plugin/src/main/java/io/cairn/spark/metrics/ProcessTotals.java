package io.cairn.spark.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.events.Counters;
import io.cairn.engine.events.GoodputBook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The counters of one process since its start, as it sends them to the driver. Immutable.
 *
 * @param process the executor's id, or "driver"
 * @param values of {@link KnownMetrics#SUMS}, in their order
 */
public record ProcessTotals(String process, List<Long> values) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int LONGEST = 1 << 14;

  /** Copies and checks the list. */
  public ProcessTotals {
    values = List.copyOf(values);
    if (values.size() != KnownMetrics.SUMS.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d totals of process %s, expected are %d; driver and executors need the same"
                  + " version",
              values.size(),
              process,
              KnownMetrics.SUMS.size()));
    }
  }

  /** The totals of this process now. */
  public static ProcessTotals of(String process, Counters counters, GoodputBook goodput) {
    Map<String, Long> counted = new HashMap<>(counters.snapshot());
    counted.put(KnownMetrics.FAILURES.name(), DaemonThreads.failures());
    CauseTimes times = goodput.times();
    List<Long> values = new ArrayList<>();
    KnownMetrics.COUNTED.forEach(metric -> values.add(counted.getOrDefault(metric.name(), 0L)));
    for (Cause cause : Cause.values()) {
      values.add(times.of(cause));
    }
    return new ProcessTotals(process, values);
  }

  /** The totals of a process in which no rank has run: its failures, and zeros. */
  public static ProcessTotals withoutRanks(String process) {
    return new ProcessTotals(
        process,
        KnownMetrics.SUMS.stream()
            .map(metric -> metric.equals(KnownMetrics.FAILURES) ? DaemonThreads.failures() : 0L)
            .toList());
  }

  /** As bytes, of which the first is a bracket. */
  public byte[] encode() {
    List<Object> all = new ArrayList<>();
    all.add(process);
    all.addAll(values);
    try {
      return MAPPER.writeValueAsBytes(all);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("totals cannot be written", e);
    }
  }

  /** Whether these bytes are to be totals; no other message of executors begins like them. */
  public static boolean isTotals(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == '[';
  }

  /**
   * The totals in these bytes.
   *
   * @throws IllegalArgumentException with the reason, if they are none
   */
  public static ProcessTotals decode(byte[] bytes) {
    if (bytes.length > LONGEST) {
      throw new IllegalArgumentException("totals of " + bytes.length + " bytes");
    }
    try {
      Object[] all = MAPPER.readValue(bytes, Object[].class);
      List<Long> values = new ArrayList<>();
      for (int k = 1; k < all.length; k++) {
        if (!(all[k] instanceof Integer || all[k] instanceof Long)) {
          throw new IllegalArgumentException("totals with " + all[k]);
        }
        values.add(((Number) all[k]).longValue());
      }
      if (all.length == 0 || !(all[0] instanceof String process)) {
        throw new IllegalArgumentException("totals without a process");
      }
      return new ProcessTotals(process, values);
    } catch (IOException e) {
      throw new IllegalArgumentException("no totals: " + e.getMessage(), e);
    }
  }
}
