package io.cairn.spark.metrics;

import io.cairn.core.goodput.Cause;
import io.cairn.spark.ui.model.LostRanks;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counters of all processes of an application, added up in the driver. A process that has ended
 * counts with the last totals that it sent. No sum of events ever falls. One of times may, since a
 * rank finds out later what some of its time was. Thread-safe.
 */
public final class ApplicationTotals {
  /** Processes of one application; of each, some hundred bytes are kept. */
  private static final int MOST_PROCESSES = 100_000;

  /** The index of the first cause in {@link KnownMetrics#SUMS}. */
  private static final int TIMES = KnownMetrics.COUNTED.size();

  private static final int TRAINING = TIMES + List.of(Cause.values()).indexOf(Cause.TRAINING);

  private final Map<String, long[]> newest = new HashMap<>();

  /** The newest of each process that lives. */
  private final Map<String, ProcessTotals> living = new HashMap<>();

  /** Processes that Spark removed, whose late messages tell nothing of now. */
  private final Set<String> gone = new HashSet<>();

  private final LostRanks<String> lost = new LostRanks<>();

  private final long[] sums = new long[KnownMetrics.SUMS.size()];
  private volatile @Nullable Supplier<ProcessTotals> own;

  /** No process has sent any. */
  public ApplicationTotals() {}

  /**
   * Takes the totals of a process. Those that an earlier message has overtaken do not count.
   *
   * @throws IllegalArgumentException if they are of one process too many
   */
  public synchronized void take(ProcessTotals totals) {
    if (newest.size() >= MOST_PROCESSES && !newest.containsKey(totals.process())) {
      throw new IllegalArgumentException("an application of over " + MOST_PROCESSES + " processes");
    }
    long[] known = newest.computeIfAbsent(totals.process(), process -> new long[sums.length]);
    if (!gone.contains(totals.process())) {
      living.put(totals.process(), totals);
      lost.found(totals.running());
    }
    List<Long> values = totals.values();
    for (int k = 0; k < TIMES; k++) {
      set(known, k, Math.max(known[k], values.get(k)));
    }
    // every nanosecond has one cause, so all of them together only rise
    long before = 0;
    long now = 0;
    for (int k = TIMES; k < sums.length; k++) {
      before += known[k];
      now += values.get(k);
    }
    for (int k = TIMES; now >= before && k < sums.length; k++) {
      set(known, k, values.get(k));
    }
  }

  private void set(long[] known, int index, long value) {
    sums[index] += value - known[index];
    known[index] = value;
  }

  /** Spark has removed a process: the ranks that ran there are without one. */
  public synchronized void gone(String process) {
    if (gone.size() < MOST_PROCESSES) {
      gone.add(process);
    }
    ProcessTotals last = living.remove(process);
    if (last != null) {
      Set<String> there = new HashSet<>(last.running());
      living.values().forEach(other -> there.removeAll(other.running()));
      var unused = lost.lost(there);
    }
  }

  /** Spark has begun a job, which may bring lost ranks back. */
  public synchronized void began(int job) {
    lost.began(job);
  }

  /** Spark has ended a job, with its ranks. */
  public synchronized void ended(int job) {
    var unused = lost.ended(job);
  }

  /** Ranks whose process is gone, that run in no other one, and that a job may bring back. */
  synchronized int lost() {
    return lost.size();
  }

  /**
   * The present value of the metric with this index in {@link KnownMetrics#NOW}: the sum of the
   * ranks that run, or the longest wait.
   */
  synchronized long now(int index) {
    takeOwn();
    return index == 0
        ? living.values().stream().mapToLong(each -> each.now().get(index)).sum()
        : living.values().stream().mapToLong(each -> each.now().get(index)).max().orElse(0);
  }

  /** Adds a process that sends none, the driver's: its totals are read with each sum. */
  public void include(Supplier<ProcessTotals> process) {
    own = process;
  }

  private void takeOwn() {
    Supplier<ProcessTotals> known = own;
    if (known != null) {
      take(known.get());
    }
  }

  /** The sum of the metric with this index in {@link KnownMetrics#SUMS}. */
  synchronized long sum(int index) {
    takeOwn();
    return sums[index];
  }

  /** The part of the ranks' time that counts; NaN while there was none. */
  synchronized double ettr() {
    takeOwn();
    long all = 0;
    for (int k = TIMES; k < sums.length; k++) {
      all += sums[k];
    }
    return all == 0 ? Double.NaN : sums[TRAINING] / (double) all;
  }
}
