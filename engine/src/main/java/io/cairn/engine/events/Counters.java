package io.cairn.engine.events;

import io.cairn.CairnEvent;
import io.cairn.Level;
import io.cairn.Outcome;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts the events of a process, as an observer of them. Thread-safe. */
public final class Counters implements Consumer<CairnEvent> {
  private static final String STATE = "state.bytes";
  private static final String WRITTEN = "written.bytes";

  private final long askedEvery;
  private final LongAdder captures = new LongAdder();
  private final LongAdder thinned = new LongAdder();
  private final LongAdder capturedBytes = new LongAdder();
  private final LongAdder blockedNanos = new LongAdder();
  private final LongAdder evictions = new LongAdder();
  private final LongAdder givenUpBytes = new LongAdder();
  private final LongAdder withdrawals = new LongAdder();
  private final LongAdder fallBacks = new LongAdder();
  private final LongAdder hangs = new LongAdder();
  private final LongAdder lentFlushedBytes = new LongAdder();
  private final LongAdder nodeReadBytes = new LongAdder();
  private final LongAdder nodeServedBytes = new LongAdder();
  private final LongAdder peerKeptBytes = new LongAdder();
  private final LongAdder stagedBytes = new LongAdder();
  private final Map<String, LongAdder> atLevels = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> settled = new ConcurrentHashMap<>();

  /** Counts from zero; every iteration is to be captured. */
  public Counters() {
    this(1);
  }

  /**
   * Counts from zero.
   *
   * @param askedEvery the period at which the settings ask for captures; more seldom is thinned
   */
  public Counters(long askedEvery) {
    this.askedEvery = askedEvery;
  }

  @Override
  public void accept(CairnEvent event) {
    if (event instanceof CairnEvent.Captured captured) {
      captures.increment();
      capturedBytes.add(captured.bytes());
      blockedNanos.add(captured.blockedNanos());
    } else if (event instanceof CairnEvent.Settled ended) {
      count(ended.level(), ended.outcome());
      boolean left = ended.level() == Level.DEVICE && ended.outcome() instanceof Outcome.NotDue;
      if (left && ended.id().iteration() % askedEvery == 0) {
        thinned.increment();
      }
    } else if (event instanceof CairnEvent.Written data) {
      add(data.level(), STATE, data.stateBytes());
      add(data.level(), WRITTEN, data.bytes());
    } else if (event instanceof CairnEvent.Evicted) {
      evictions.increment();
    } else if (event instanceof CairnEvent.CacheShrank shrank) {
      givenUpBytes.add(shrank.bytes());
    } else if (event instanceof CairnEvent.Withdrawn) {
      withdrawals.increment();
    } else if (event instanceof CairnEvent.FellBack) {
      fallBacks.increment();
    } else if (event instanceof CairnEvent.Hangs) {
      hangs.increment();
    } else if (event instanceof CairnEvent.LentFlushed flushed) {
      lentFlushedBytes.add(flushed.bytes());
    } else if (event instanceof CairnEvent.ReadFromNode read) {
      nodeReadBytes.add(read.bytes());
    } else if (event instanceof CairnEvent.ServedFromNode served) {
      nodeServedBytes.add(served.bytes());
    } else if (event instanceof CairnEvent.KeptForPeer kept) {
      peerKeptBytes.add(kept.bytes());
    } else if (event instanceof CairnEvent.StagedForOthers staged) {
      stagedBytes.add(staged.bytes());
    } else if (event instanceof CairnEvent.Quarantined bad) {
      add(bad.level(), "quarantined", 1);
    } else if (event instanceof CairnEvent.Repaired good) {
      add(good.level(), "repaired", 1);
    } else if (event instanceof CairnEvent.NotRepaired bad) {
      add(bad.level(), "unrepaired", 1);
    } else if (!(event instanceof CairnEvent.Stale
        || event instanceof CairnEvent.Leased
        || event instanceof CairnEvent.Restored
        || event instanceof CairnEvent.HasRoomAgain
        || event instanceof CairnEvent.UnknownRegions
        || event instanceof CairnEvent.Unused)) {
      throw new AssertionError("not counted: " + event);
    }
  }

  private void add(Level level, String what, long amount) {
    atLevels.computeIfAbsent(name(level, what), n -> new LongAdder()).add(amount);
  }

  private void count(Level level, Outcome outcome) {
    if (!(outcome instanceof Outcome.NotDue)) {
      settled.computeIfAbsent(name(level, outcome.getClass()), n -> new LongAdder()).increment();
    }
  }

  private static String name(Level level, Class<? extends Outcome> outcome) {
    return name(level, outcome.getSimpleName());
  }

  private static String name(Level level, String what) {
    return (level + "." + what).toLowerCase(Locale.ROOT);
  }

  /** The number of outcomes of a kind at a level, such as {@code Sealed} at STORE. */
  public long count(Level level, Class<? extends Outcome> outcome) {
    LongAdder adder = settled.get(name(level, outcome));
    return adder == null ? 0 : adder.sum();
  }

  /**
   * All counters by name, such as {@code store.sealed} or {@code blocked.nanos}. Of the checkpoints
   * at a level, {@code store.state.bytes} is the state and {@code store.written.bytes} the files.
   * {@code node.quarantined}, {@code node.repaired} and {@code node.unrepaired} count bad copies.
   */
  public Map<String, Long> snapshot() {
    Map<String, Long> values = new TreeMap<>();
    values.put("captures", captures.sum());
    values.put("captured.bytes", capturedBytes.sum());
    values.put("blocked.nanos", blockedNanos.sum());
    values.put("device.evictions", evictions.sum());
    values.put("device.thinned", thinned.sum());
    values.put("device.givenUp.bytes", givenUpBytes.sum());
    values.put("device.withdrawals", withdrawals.sum());
    values.put("device.fallbacks", fallBacks.sum());
    values.put("hangs", hangs.sum());
    values.put("lent.flushed.bytes", lentFlushedBytes.sum());
    values.put("node.read.bytes", nodeReadBytes.sum());
    values.put("node.served.bytes", nodeServedBytes.sum());
    values.put("peer.kept.bytes", peerKeptBytes.sum());
    values.put("staged.bytes", stagedBytes.sum());
    atLevels.forEach((name, adder) -> values.put(name, adder.sum()));
    settled.forEach((name, adder) -> values.put(name, adder.sum()));
    return values;
  }
}
