package io.cairn.engine.events;

import io.cairn.core.model.Level;
import io.cairn.core.session.Outcome;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What happened to the checkpoints of a process, counted. Thread-safe. */
public final class Counters {
  private final LongAdder captures = new LongAdder();
  private final LongAdder capturedBytes = new LongAdder();
  private final LongAdder blockedNanos = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private final LongAdder withdrawals = new LongAdder();
  private final LongAdder lentFlushedBytes = new LongAdder();
  private final Map<String, LongAdder> settled = new ConcurrentHashMap<>();

  /** A capture of so many bytes was asked for and blocked its caller for so long. */
  public void captured(long bytes, long nanos) {
    captures.increment();
    capturedBytes.add(bytes);
    blockedNanos.add(nanos);
  }

  /** A level of a checkpoint was settled. */
  public void settled(Level level, Outcome outcome) {
    if (!(outcome instanceof Outcome.NotDue)) {
      String name = (level + "." + outcome.getClass().getSimpleName()).toLowerCase(Locale.ROOT);
      settled.computeIfAbsent(name, n -> new LongAdder()).increment();
    }
  }

  /** A checkpoint gave way in the device cache. */
  public void evicted() {
    evictions.increment();
  }

  /** A checkpoint that was held at DEVICE is there no more, since a lender lost its part. */
  public void withdrawn() {
    withdrawals.increment();
  }

  /** So many bytes that were held for other processes were written to NODE. */
  public void lentFlushed(long bytes) {
    lentFlushedBytes.add(bytes);
  }

  /** How many level outcomes of that kind there were, such as {@code STORE} and {@code Sealed}. */
  public long count(Level level, Class<? extends Outcome> outcome) {
    String name = (level + "." + outcome.getSimpleName()).toLowerCase(Locale.ROOT);
    LongAdder adder = settled.get(name);
    return adder == null ? 0 : adder.sum();
  }

  /** All of them by name, such as {@code store.sealed} or {@code blocked.nanos}. */
  public Map<String, Long> snapshot() {
    Map<String, Long> values = new TreeMap<>();
    values.put("captures", captures.sum());
    values.put("captured.bytes", capturedBytes.sum());
    values.put("blocked.nanos", blockedNanos.sum());
    values.put("device.evictions", evictions.sum());
    values.put("device.withdrawals", withdrawals.sum());
    values.put("lent.flushed.bytes", lentFlushedBytes.sum());
    settled.forEach((name, adder) -> values.put(name, adder.sum()));
    return values;
  }
}
