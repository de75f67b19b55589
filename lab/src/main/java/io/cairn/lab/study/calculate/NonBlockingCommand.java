package io.cairn.lab.study.calculate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.lab.study.line.LineCommand;
import io.cairn.lab.study.pattern.TwoLevelClosedForm;
import io.cairn.lab.study.pattern.TwoLevelOptimum;
import io.cairn.lab.study.pattern.TwoLevelPlatform;
import picocli.CommandLine.Command;

/** {@code cairn-lab model nonblocking}: two levels, the upper one flushed while the job runs on. */
@Command(
    name = "nonblocking",
    description = {
      "Expected time of a two-level pattern whose upper level is flushed while the job runs on.",
      "",
      "A line: {\"params\": {…}, \"m\": segments, \"t\": seconds of work in each}; without m and t,"
          + " the most efficient ones are found. Of params: l1, l2 failures per second; c1, r1"
          + " seconds of a checkpoint and recovery of level 1; lat, r2 of a flush to and recovery"
          + " from level 2; c2 of a blocking checkpoint (default: lat); alpha, the part by which a"
          + " flush slows computation (0); r1first, whether the blocking pattern's first segment"
          + " recovers from level 2 (true); esc, whether any failure in a level-1 recovery makes"
          + " it one of level 2 (true). \"F\", the segments that a flush spans, follows from lat"
          + " unless it is given.",
      "",
      "Adds expectedSeconds, blockingExpectedSeconds and efficiency."
    })
final class NonBlockingCommand extends LineCommand {
  @Override
  protected void answer(ObjectNode line) {
    TwoLevelPlatform platform = platform(params(line));
    if (!line.has("m") && !line.has("t")) {
      answerBest(line, platform);
      return;
    }
    int segments = integer(line, "m");
    double work = number(line, "t");
    int flush;
    if (line.hasNonNull("F")) {
      flush = integer(line, "F");
    } else {
      int needed = platform.flushSegments(work);
      flush = Math.min(needed, Math.max(1, segments));
      line.put("F", flush);
      if (needed > flush) {
        line.put("keepsUp", false);
      }
    }
    answer(line, platform, segments, work, flush);
  }

  private static void answer(
      ObjectNode line, TwoLevelPlatform platform, int segments, double work, int flush) {
    TwoLevelClosedForm form = new TwoLevelClosedForm(platform);
    double seconds = form.nonBlocking(segments, work, flush);
    line.put("expectedSeconds", seconds);
    line.put("blockingExpectedSeconds", form.blocking(segments, work));
    line.put("efficiency", segments * work / seconds);
  }

  private static void answerBest(ObjectNode line, TwoLevelPlatform platform) {
    TwoLevelOptimum best = TwoLevelOptimum.nonBlocking(platform);
    line.put("m", best.segments()).put("t", best.segmentSeconds()).put("F", best.flushSegments());
    answer(line, platform, best.segments(), best.segmentSeconds(), best.flushSegments());
    TwoLevelOptimum blocking = TwoLevelOptimum.blocking(platform);
    line.putObject("blocking")
        .put("m", blocking.segments())
        .put("t", blocking.segmentSeconds())
        .put("expectedSeconds", blocking.expectedSeconds())
        .put("efficiency", blocking.efficiency());
  }

  private static TwoLevelPlatform platform(JsonNode params) {
    double flush = number(params, "lat");
    return new TwoLevelPlatform(
        number(params, "l1"),
        number(params, "l2"),
        number(params, "c1"),
        number(params, "r1"),
        number(params, "c2", flush),
        flush,
        number(params, "r2"),
        number(params, "alpha", 0),
        flag(params, "r1first", true),
        flag(params, "esc", true));
  }
}
