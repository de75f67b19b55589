package io.cairn.spark.driver;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.wire.ExchangeReply.Messages;
import io.cairn.core.wire.ExchangeReply.ToMember;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the messages for ranks until their executor acknowledges them, since the driver cannot send
 * to an executor and a reply may be lost. Bounded: an executor that fetches no messages loses them,
 * and the incarnation that was used least recently is forgotten. Thread-safe.
 */
final class Mailboxes {
  static final int MAX_WAITING = 100_000;
  static final int MAX_FETCHED = 10_000;

  private static final Logger LOG = LoggerFactory.getLogger(Mailboxes.class);
  private static final int MAX_INCARNATIONS = 100_000;

  private final Map<String, Box> byExecutor = new HashMap<>();
  private final Map<String, String> executorOf =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MAX_INCARNATIONS;
        }
      };

  private static final class Box {
    private final Deque<ToMember> waiting = new ArrayDeque<>();

    /** Number of the last message, counted from 1. */
    private long last;
  }

  /** Records the executor of an incarnation. */
  synchronized void locate(String incarnation, String executor) {
    executorOf.put(incarnation, executor);
  }

  /** Adds a message; one for an unknown incarnation is dropped. */
  synchronized void put(String incarnation, CoordinatorMessage message) {
    String executor = executorOf.get(incarnation);
    if (executor == null) {
      return;
    }
    Box box = byExecutor.computeIfAbsent(executor, e -> new Box());
    if (box.waiting.size() >= MAX_WAITING) {
      LOG.warn("Executor {} fetches no messages; {} are dropped", executor, box.waiting.size());
      box.waiting.clear();
    }
    box.waiting.add(new ToMember(incarnation, message));
    box.last++;
  }

  /** The messages after number {@code received}; removes those up to it. */
  synchronized Messages fetch(String executor, long received) {
    Box box = byExecutor.get(executor);
    if (box == null) {
      return new Messages(0, List.of());
    }
    while (!box.waiting.isEmpty() && box.last - box.waiting.size() < received) {
      box.waiting.remove();
    }
    List<ToMember> next = box.waiting.stream().limit(MAX_FETCHED).toList();
    return new Messages(box.last - box.waiting.size() + next.size(), next);
  }
}
