package io.cairn.engine.promotion;

import io.cairn.GroupId;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the groups of a store have rested at this node, in a file that its processes share. They
 * look from time to time, and add the time of the machine that passed since the last look to each
 * group that looks the same. So a step of the clock makes no group older. Not thread-safe; another
 * process that looks at the same time costs one of both looks.
 *
 * <pre>
 *   boot milliseconds               the moment of the last look
 *   job/group state milliseconds    a group, its state then, and how long it had rested
 * </pre>
 */
final class RestedGroups {
  private static final Logger LOG = LoggerFactory.getLogger(RestedGroups.class);
  private static final long MOST_BYTES = 16 << 20;

  private record Rest(String state, Duration rested) {}

  private record Look(Uptime.Moment at, Map<String, Rest> groups) {}

  private final Path file;

  /** The file in a store's directory at NODE. */
  RestedGroups(Path directory) {
    file = directory.resolve(StoreNames.RESTED);
  }

  /**
   * Looks at all groups.
   *
   * @param states of each group, such as the time of its newest change; without blanks
   * @return how long each of them has had its state, as far as looks have shown; even if the file
   *     cannot be written, as on a full disk
   */
  Map<GroupId, Duration> look(Map<GroupId, String> states, Uptime.Moment now) {
    Map<GroupId, Duration> rested = peek(states, now);
    StringBuilder text = new StringBuilder(line(now.boot(), now.since()));
    rested.forEach(
        (group, length) ->
            text.append(line(StoreNames.group(group) + " " + states.get(group), length)));
    try {
      write(text);
    } catch (IOException e) {
      LOG.warn("{} cannot be written, so the next look adds the time since the last", file, e);
    }
    return rested;
  }

  /** Like {@link #look}, which nobody will know of: writes nothing. */
  Map<GroupId, Duration> peek(Map<GroupId, String> states, Uptime.Moment now) {
    Look last = last(now);
    Duration passed = now.after(last.at());
    Map<GroupId, Duration> rested = new HashMap<>();
    states.forEach(
        (group, state) -> {
          Rest before = last.groups().get(StoreNames.group(group));
          Duration length =
              before != null && before.state().equals(state)
                  ? before.rested().plus(passed)
                  : Duration.ZERO;
          rested.put(group, length);
        });
    return rested;
  }

  private void write(CharSequence text) throws IOException {
    Path next = Files.createTempFile(file.getParent(), "." + StoreNames.RESTED + ".", ".tmp");
    try {
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private static String line(String start, Duration time) {
    return start + " " + time.toMillis() + "\n";
  }

  /** A file that cannot be read counts as none: all groups begin to rest now. */
  private Look last(Uptime.Moment now) {
    try {
      return Files.size(file) > MOST_BYTES ? nothing(now) : parse(Files.readString(file));
    } catch (NoSuchFileException e) {
      return nothing(now);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} cannot be read, so all groups here begin to rest now", file, e);
      return nothing(now);
    }
  }

  private static Look nothing(Uptime.Moment now) {
    return new Look(now, Map.of());
  }

  private static Look parse(String text) {
    String[] lines = text.split("\n", -1);
    String[] first = lines[0].split(" ", 2);
    Map<String, Rest> groups = new HashMap<>();
    for (int i = 1; i < lines.length - 1; i++) {
      String[] words = lines[i].split(" ", 3);
      groups.put(words[0], new Rest(words[1], millis(words[2])));
    }
    return new Look(new Uptime.Moment(first[0], millis(first[1])), groups);
  }

  private static Duration millis(String text) {
    return Duration.ofMillis(Long.parseLong(text));
  }
}
