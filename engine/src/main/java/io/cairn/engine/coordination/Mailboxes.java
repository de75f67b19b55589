package io.cairn.engine.coordination;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.wire.ExchangeReply.Messages;
import io.cairn.core.wire.ExchangeReply.ToMember;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the messages for ranks until their process acknowledges them, since a server cannot send to
 * an executor and a reply may be lost. Bounded: a process that fetches no messages loses them, and
 * the incarnation that was used least recently is forgotten. Incarnations that are over and
 * processes that ended are forgotten by order. Thread-safe.
 */
final class Mailboxes {
  static final int MAX_WAITING = 100_000;
  static final int MAX_FETCHED = 1_000;

  /** Messages with a survey of STORE in one reply, which so has some 3 MiB at most. */
  static final int MAX_SURVEYS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(Mailboxes.class);
  private static final int MAX_INCARNATIONS = 100_000;

  private final Map<String, Box> byProcess = new HashMap<>();

  /** Boxes with messages that came since the last {@link #flush}, and with a request. */
  private final Set<Box> owing = new LinkedHashSet<>();

  private final Map<String, String> processOf =
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

    /** The request of the process that waits for messages. */
    private @Nullable CompletableFuture<Messages> asked;

    /** Removes the messages up to a number, and returns the next ones. */
    Messages after(long received) {
      while (!waiting.isEmpty() && last - waiting.size() < received) {
        waiting.remove();
      }
      List<ToMember> next = new ArrayList<>();
      int surveys = 0;
      for (ToMember message : waiting) {
        surveys += hasSurvey(message) ? 1 : 0;
        if (next.size() == MAX_FETCHED || surveys > MAX_SURVEYS) {
          break;
        }
        next.add(message);
      }
      return new Messages(last - waiting.size() + next.size(), next);
    }

    private static boolean hasSurvey(ToMember sent) {
      return sent.message() instanceof CoordinatorMessage.Joined joined
          && joined.atStore().isPresent();
    }
  }

  /** Records the process of an incarnation. */
  synchronized void locate(String incarnation, String process) {
    processOf.put(incarnation, process);
  }

  /** Forgets an incarnation that is over; messages that wait for it stay. */
  synchronized void forget(String incarnation) {
    processOf.remove(incarnation);
  }

  /** Whether incarnations or messages of a process are remembered. */
  synchronized boolean isUsedBy(String process) {
    return hasMessages(process) || processOf.containsValue(process);
  }

  /** Forgets a process that ended, with its messages. */
  void gone(String process) {
    CompletableFuture<Messages> asked;
    synchronized (this) {
      Box box = byProcess.remove(process);
      asked = box == null ? null : box.asked;
      processOf.values().removeIf(process::equals);
    }
    if (asked != null) {
      asked.complete(new Messages(0, List.of()));
    }
  }

  /** The number of incarnations, processes and messages that are remembered. */
  synchronized int size() {
    return processOf.size()
        + byProcess.size()
        + byProcess.values().stream().mapToInt(box -> box.waiting.size()).sum();
  }

  /** Adds a message; one for an unknown incarnation is dropped. */
  synchronized void put(String incarnation, CoordinatorMessage message) {
    String process = processOf.get(incarnation);
    if (process == null) {
      return;
    }
    Box box = byProcess.computeIfAbsent(process, e -> new Box());
    if (box.waiting.size() >= MAX_WAITING) {
      LOG.warn("Process {} fetches no messages; {} are dropped", process, box.waiting.size());
      box.waiting.clear();
    }
    box.waiting.add(new ToMember(incarnation, message));
    box.last++;
    if (box.asked != null) {
      owing.add(box);
    }
  }

  /** Whether messages wait for a process. */
  synchronized boolean hasMessages(String process) {
    Box box = byProcess.get(process);
    return box != null && !box.waiting.isEmpty();
  }

  /** The messages after number {@code received}; removes those up to it. */
  synchronized Messages fetch(String process, long received) {
    Box box = byProcess.get(process);
    return box == null ? new Messages(0, List.of()) : box.after(received);
  }

  /**
   * Like {@link #fetch}, but completes only when messages are there. Until then at most one request
   * of a process waits: the next one completes the one before, without messages.
   */
  CompletableFuture<Messages> await(String process, long received) {
    CompletableFuture<Messages> asked = new CompletableFuture<>();
    CompletableFuture<Messages> before;
    Messages next;
    synchronized (this) {
      Box box = byProcess.computeIfAbsent(process, e -> new Box());
      before = box.asked;
      next = box.after(received);
      box.asked = next.messages().isEmpty() ? asked : null;
    }
    if (before != null) {
      before.complete(new Messages(0, List.of()));
    }
    if (!next.messages().isEmpty()) {
      asked.complete(next);
    }
    return asked;
  }

  /**
   * Completes the requests of processes that messages came for: so that one reply carries all that
   * came together.
   */
  void flush() {
    Map<CompletableFuture<Messages>, Messages> replies = new LinkedHashMap<>();
    synchronized (this) {
      for (Box box : owing) {
        if (box.asked != null && !box.waiting.isEmpty()) {
          replies.put(box.asked, box.after(0));
          box.asked = null;
        }
      }
      owing.clear();
    }
    replies.forEach(CompletableFuture::complete);
  }
}
