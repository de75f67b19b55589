package io.cairn.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Text of the figures that {@link LiveJob} reads. Members that are missing show as a dash.
 *
 * @param job the figures
 */
record LiveFigures(JsonNode job) {
  private static final List<String> LEVELS = List.of("DEVICE", "NODE", "PEER", "STORE");
  private static final String UNKNOWN = "–";

  /** The lines to print. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(summary());
    Table ranks =
        new Table(
            "rank",
            "process",
            ">captures",
            ">iteration",
            ">time",
            ">stall",
            ">DEVICE",
            ">NODE",
            ">PEER",
            ">STORE",
            ">at risk");
    job.path("ranks").forEach(rank -> ranks.row(row(rank)));
    lines.addAll(ranks.isEmpty() ? List.of("No rank has reported yet.") : ranks.lines());
    for (JsonNode alarm : job.path("alarms")) {
      if (alarm.path("overMillis").asLong() > 0) {
        continue; // the page has it, with its end
      }
      lines.add(
          String.format(
              Locale.ROOT,
              "%s, %s: %s (%d times)",
              alarm.path("kind").asText(),
              alarm.path("place").asText(),
              alarm.path("text").asText(),
              alarm.path("count").asLong()));
    }
    return lines;
  }

  private String summary() {
    long training = 0;
    long all = 0;
    for (JsonNode process : job.path("processes")) {
      for (JsonNode nanos : process.path("goodputNanos")) {
        all += nanos.asLong();
      }
      training += process.path("goodputNanos").path("training").asLong();
    }
    return String.format(
        Locale.ROOT,
        "%s  %s, %d gone, %s, ETTR %s",
        Instant.ofEpochMilli(job.path("atMillis").asLong()).truncatedTo(ChronoUnit.SECONDS),
        Units.count(job.path("processes").size(), "executor"),
        job.path("gone").asLong(),
        Units.count(job.path("restored").asLong(), "restore"),
        all == 0 ? UNKNOWN : Units.percent((double) training / all));
  }

  private static Object[] row(JsonNode rank) {
    List<Object> cells = new ArrayList<>();
    cells.add(
        String.format(
            Locale.ROOT,
            "%s %d/%d",
            rank.path("group").asText(),
            rank.path("rank").asInt(),
            rank.path("size").asInt()));
    cells.add(rank.path("process").asText());
    cells.add(rank.path("captures").asLong());
    cells.add(iteration(rank.path("newest")));
    cells.add(time(rank));
    cells.add(stall(rank));
    LEVELS.forEach(level -> cells.add(iteration(rank.path("seals").path(level))));
    cells.add(atRisk(rank));
    return cells.toArray();
  }

  private static String iteration(JsonNode seal) {
    return seal.isObject() ? String.valueOf(seal.path("iteration").asLong()) : UNKNOWN;
  }

  private static String time(JsonNode rank) {
    JsonNode seconds = rank.path("iterationSeconds");
    return seconds.isNumber() ? Units.seconds(seconds.asDouble()) : UNKNOWN;
  }

  private static String stall(JsonNode rank) {
    long captures = rank.path("captures").asLong();
    return captures == 0
        ? UNKNOWN
        : Units.seconds(rank.path("blockedNanos").asDouble() / captures / 1e9);
  }

  /** The time of training that the loss of all but STORE would cost. */
  private static String atRisk(JsonNode rank) {
    JsonNode newest = rank.path("newest");
    if (!newest.isObject()) {
      return UNKNOWN;
    }
    JsonNode stored = rank.path("seals").path("STORE").path("capturedMillis");
    long from = stored.asLong(rank.path("firstMillis").asLong());
    return Units.seconds((newest.path("capturedMillis").asLong() - from) / 1e3);
  }
}
