package io.cairn.cache.memory.cuda;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The driver's events of one device, each used again and again. Thread-safe. */
final class EventPool {
  private final List<Long> all = new ArrayList<>();
  private final Deque<Long> free = new ArrayDeque<>();

  /** An event; the caller gives it back once nothing waits for it. */
  synchronized long take(CurrentContext calls) throws CudaException {
    Long event = free.poll();
    if (event == null) {
      event = calls.newEvent();
      all.add(event);
    }
    return event;
  }

  synchronized void give(long event) {
    free.push(event);
  }

  /** Ends all events, those that were not given back included. */
  synchronized void destroy(CurrentContext calls) throws CudaException {
    for (long event : all) {
      calls.destroyEvent(event);
    }
    all.clear();
    free.clear();
  }
}
