package io.cairn.core.peer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The answers that one connection waits for. Thread-safe. */
public final class OpenAnswers {
  private final Map<Long, CompletableFuture<byte[]>> open = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  /** Adds an answer; its number. */
  public long add(CompletableFuture<byte[]> answer) {
    long number = numbers.incrementAndGet();
    open.put(number, answer);
    return number;
  }

  /** The answer with this number has come. */
  public void remove(long number) {
    open.remove(number);
  }

  /** Nobody waits for any of them any more. */
  public void cancel() {
    List.copyOf(open.values()).forEach(answer -> answer.cancel(false));
  }
}
