package io.cairn.engine.events;

import io.cairn.Member;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.core.goodput.Goodput;
import io.cairn.core.goodput.GoodputRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The accounts of time of this process's ranks. A rank that joins again here goes on with its own.
 * Thread-safe.
 */
public final class GoodputBook {
  /** The rank whose account is the oldest is forgotten first; thousands of trials need little. */
  static final int MOST_RANKS = 1_000;

  private final LongSupplier nanoTime;
  private final LongSupplier nowMillis;
  private final long startedMillis;

  /** Guarded by itself; in the order of the last changes. */
  private final Map<Member, Entry> newest = new LinkedHashMap<>();

  /** The times of incarnations that are over. Guarded by {@link #newest}. */
  private CauseTimes past = CauseTimes.NONE;

  /** A rank's account, and the part that its present incarnation has added. */
  private record Entry(GoodputRecord record, CauseTimes here) {}

  /**
   * No rank has joined.
   *
   * @param nanoTime as {@link System#nanoTime}
   * @param nowMillis as {@link System#currentTimeMillis}
   * @param startedMillis when this process began, in milliseconds since 1970
   */
  public GoodputBook(LongSupplier nanoTime, LongSupplier nowMillis, long startedMillis) {
    this.nanoTime = nanoTime;
    this.nowMillis = nowMillis;
    this.startedMillis = startedMillis;
  }

  /**
   * Begins the account of an incarnation, upon the newest sign of life of its rank.
   *
   * @param afresh whether earlier attempts do not count
   */
  public Goodput arrive(Member member, boolean afresh) {
    Optional<GoodputRecord> sign = afresh ? Optional.empty() : newest(member);
    return new Goodput(
        nanoTime.getAsLong(), nowMillis.getAsLong(), startedMillis, member.size() > 1, sign);
  }

  /** Keeps the present account of an incarnation, and returns it. */
  public GoodputRecord keep(Member member, Goodput goodput) {
    GoodputRecord record = goodput.record(nanoTime.getAsLong(), nowMillis.getAsLong());
    synchronized (newest) {
      newest.remove(member);
      newest.put(member, new Entry(record, goodput.here()));
      if (newest.size() > MOST_RANKS) {
        close(newest.keySet().iterator().next());
      }
    }
    return record;
  }

  /** An incarnation is over; its account stays for the next one, unless the training ended. */
  public void leave(Member member) {
    synchronized (newest) {
      Entry left = newest.remove(member);
      if (left != null) {
        past = past.plus(left.here());
        if (!left.record().ended()) {
          newest.put(member, new Entry(left.record(), CauseTimes.NONE));
        }
      }
    }
  }

  private void close(Member member) {
    leave(member);
    newest.remove(member);
  }

  /** The newest account of a rank; empty if it never computed here. */
  public Optional<GoodputRecord> newest(Member member) {
    synchronized (newest) {
      return Optional.ofNullable(newest.get(member)).map(Entry::record);
    }
  }

  /**
   * The times of all incarnations in this process, with the gaps before them. Those of several
   * processes can be added.
   */
  public CauseTimes times() {
    synchronized (newest) {
      return newest.values().stream().map(Entry::here).reduce(past, CauseTimes::plus);
    }
  }
}
