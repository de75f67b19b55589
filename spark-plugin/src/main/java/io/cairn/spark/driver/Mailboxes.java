package io.cairn.spark.driver;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.spark.exchange.Exchange.ToMember;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps messages for ranks until their executor fetches them, since a driver cannot push. Bounded:
 * an executor that fetches nothing loses its mailbox, and an incarnation that is long gone is
 * forgotten. Thread-safe.
 */
final class Mailboxes {
  private static final Logger LOG = LoggerFactory.getLogger(Mailboxes.class);
  private static final int MAX_WAITING = 100_000;
  private static final int MAX_INCARNATIONS = 100_000;

  private final Map<String, List<ToMember>> byExecutor = new HashMap<>();
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
    List<ToMember> mailbox = byExecutor.computeIfAbsent(executor, e -> new ArrayList<>());
    if (mailbox.size() >= MAX_WAITING) {
      LOG.warn("Executor {} fetches no messages; {} are dropped", executor, mailbox.size());
      mailbox.clear();
    }
    mailbox.add(new ToMember(incarnation, message));
  }

  synchronized List<ToMember> fetch(String executor) {
    List<ToMember> mailbox = byExecutor.remove(executor);
    return mailbox == null ? List.of() : mailbox;
  }
}
