package io.cairn.lab.study.calculate;

import io.cairn.cli.Json;
import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.LevelStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A platform's levels as a JSON file, the cheapest first: {@code {"levels": [{"name": …,
 * "mtbfSeconds": … or "failuresPerSecond": …, "checkpointSeconds": …, "recoverySeconds": …}, …]}}.
 *
 * @param levels null if the file has none
 */
public record LevelsFile(@Nullable List<Entry> levels) {
  private static final long MAX_BYTES = 1 << 20;

  /** One level as written; null where it says nothing. */
  record Entry(
      @Nullable String name,
      @Nullable Double mtbfSeconds,
      @Nullable Double failuresPerSecond,
      @Nullable Double checkpointSeconds,
      @Nullable Double recoverySeconds) {

    CheckpointLevel level() {
      String known = need(name, "name", "a level");
      String of = "level '" + known + "'";
      double cost = need(checkpointSeconds, "checkpointSeconds", of);
      double recovery = need(recoverySeconds, "recoverySeconds", of);
      if (mtbfSeconds != null && failuresPerSecond != null) {
        throw new IllegalArgumentException(
            of + " has both mtbfSeconds and failuresPerSecond; give one of them");
      }
      return mtbfSeconds != null
          ? CheckpointLevel.ofMtbf(known, mtbfSeconds, cost, recovery)
          : new CheckpointLevel(
              known,
              need(failuresPerSecond, "mtbfSeconds and no failuresPerSecond", of),
              cost,
              recovery);
    }

    private static <T> T need(@Nullable T value, String what, String of) {
      if (value == null) {
        throw new IllegalArgumentException(of + " has no " + what);
      }
      return value;
    }
  }

  /**
   * Reads a file.
   *
   * @throws IOException naming the file and what in it is wrong: not readable, not JSON, not of
   *     this form, or a number that no platform has
   */
  public static LevelStack read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(file + ": more than " + MAX_BYTES + " bytes are no list of levels");
    }
    LevelsFile content = Json.read(file, LevelsFile.class);
    List<CheckpointLevel> levels = new ArrayList<>();
    try {
      if (content == null || content.levels == null) {
        throw new IllegalArgumentException("no \"levels\"");
      }
      for (Entry entry : content.levels) {
        if (entry == null) {
          throw new IllegalArgumentException("a level is null");
        }
        levels.add(entry.level());
      }
      return new LevelStack(levels);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }
}
