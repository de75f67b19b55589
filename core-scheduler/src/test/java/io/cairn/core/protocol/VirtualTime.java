package io.cairn.core.protocol;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * The one thread of a simulation: events in the order of their virtual moments, those of the same
 * moment in the order in which they were planned. Keeps the last lines of what happened.
 */
public final class VirtualTime {
  private static final int TRACE_LINES = 60;

  private record Event(long atMillis, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atMillis, other.atMillis);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final Deque<String> trace = new ArrayDeque<>();
  private long nowMillis;
  private long planned;

  /** The virtual moment. */
  public long nowMillis() {
    return nowMillis;
  }

  /** Plans an event. */
  public void after(long millis, Runnable action) {
    events.add(new Event(nowMillis + millis, planned++, action));
  }

  /** Runs the next event if there is one before {@code untilMillis}. */
  public boolean step(long untilMillis) {
    Event next = events.peek();
    if (next == null || next.atMillis() > untilMillis) {
      return false;
    }
    events.remove(next);
    nowMillis = next.atMillis();
    next.action().run();
    return true;
  }

  /** Keeps a line of what happened. */
  public void note(String who, String what) {
    if (trace.size() == TRACE_LINES) {
      trace.removeFirst();
    }
    trace.addLast(String.format(Locale.ROOT, "%7d ms  %-8s %s", nowMillis, who, what));
  }

  /** The last lines of what happened. */
  public String trace() {
    return String.join("\n", trace);
  }
}
