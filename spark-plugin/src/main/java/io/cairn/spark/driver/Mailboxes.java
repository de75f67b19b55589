package io.cairn.spark.driver;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.spark.exchange.Exchange.ToMember;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps messages for ranks until their executor has them, since a driver cannot push: it fetches,
 * and says with its next request what it received, so that a reply that is lost loses nothing.
 * Bounded: an executor that fetches nothing loses its oldest messages, and an incarnation that is
 * long gone is forgotten. Thread-safe.
 */
final class Mailboxes {
  private static final Logger LOG = LoggerFactory.getLogger(Mailboxes.class);
  private static final int MAX_WAITING = 100_000;
  private static final int MAX_BATCH = 10_000;
  private static final int MAX_INCARNATIONS = 100_000;

  private static final class Mailbox {
    private final Deque<ToMember> waiting = new ArrayDeque<>();
    private long last;
  }

  private final Map<String, Mailbox> byExecutor = new HashMap<>();
  private final Map<String, String> executorOf =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
          return size() > MAX_INCARNATIONS;
        }
      };

  /** Notes where an incarnation lives. */
  synchronized void locate(String incarnation, String executor) {
    executorOf.put(incarnation, executor);
  }

  synchronized void put(String incarnation, CoordinatorMessage message) {
    String executor = executorOf.get(incarnation);
    if (executor == null) {
      return;
    }
    Mailbox mailbox = byExecutor.computeIfAbsent(executor, e -> new Mailbox());
    if (mailbox.waiting.size() >= MAX_WAITING) {
      LOG.warn("Executor {} fetches no messages; the oldest is dropped", executor);
      mailbox.waiting.removeFirst();
    }
    mailbox.last++;
    mailbox.waiting.add(new ToMember(mailbox.last, incarnation, message));
  }

  /**
   * What waits for an executor, in order; it stays until a later call says that it was received.
   *
   * @param received the last number that the executor has, 0 for none
   */
  synchronized List<ToMember> fetch(String executor, long received) {
    Mailbox mailbox = byExecutor.get(executor);
    if (mailbox == null) {
      return List.of();
    }
    mailbox.waiting.removeIf(message -> message.number() <= received);
    return mailbox.waiting.stream().limit(MAX_BATCH).toList();
  }
}
