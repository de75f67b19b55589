package io.cairn.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** The events that the ranks of a group reported by {@link ToyRank}. */
record ToyEvents(Path directory, String group) {
  /** Longer than executors take to start, and a job to end, beside many busy processes. */
  static final long PATIENCE_SECONDS = 300;

  record Event(String what, int rank, long pid, long epoch, long iteration, Level level) {
    static Event of(String line) {
      String[] words = line.split(" ", -1);
      return new Event(
          words[0],
          Integer.parseInt(words[1]),
          Long.parseLong(words[2]),
          Long.parseLong(words[3]),
          Long.parseLong(words[4]),
          Level.valueOf(words[5]));
    }
  }

  List<Event> all() {
    Path file = directory.resolve(group + ".events");
    try {
      String text = Files.exists(file) ? Files.readString(file) : "";
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Event::of).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Event> all(String what) {
    return all().stream().filter(event -> event.what().equals(what)).toList();
  }

  /**
   * The newest iteration that was reported as sealed at NODE to an epoch, before the group's next
   * start. How far that is depends on the machine's speed; that a later start is beyond it does
   * not.
   */
  long sealedInEpoch(long epoch) {
    long newest = -1;
    for (Event event : all()) {
      if (event.what().equals("start") && event.epoch() > epoch) {
        break;
      }
      if (event.what().equals("sealed") && event.epoch() == epoch) {
        newest = Math.max(newest, event.iteration());
      }
    }
    return newest;
  }

  /** Waits for an event of a job that runs. */
  Event await(Future<?> job, Predicate<Event> wanted) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < end) {
      for (Event event : all()) {
        if (wanted.test(event)) {
          return event;
        }
      }
      if (job.isDone()) {
        throw new AssertionError("the job ended before: " + job.get() + "; " + newest());
      }
      LockSupport.parkNanos(20_000_000);
    }
    throw new AssertionError("waited in vain; of " + group + " the newest are " + newest());
  }

  /** The newest event of each kind. */
  private Collection<Event> newest() {
    Map<String, Event> newest = new LinkedHashMap<>();
    all().forEach(event -> newest.put(event.what(), event));
    return newest.values();
  }

  static void signal(String signal, long pid) throws IOException, InterruptedException {
    assertThat(ChildProcess.signal(signal, pid)).isTrue();
  }
}
