package io.cairn.engine.nodes;

import io.cairn.core.wire.PeerReply;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.pipeline.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Answers to orders that take long. Each order is worked on once, however often it arrives. While
 * that lasts, an owner learns that it goes on, and asks again. Thread-safe.
 */
final class LongOrders {
  /** After so long an owner learns that its order is still worked on. */
  private static final Duration HOLD = Duration.ofSeconds(2);

  /** Owners ask again every few seconds. One that has not asked for so long has given up. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Waits waits;
  private final LongSupplier nanoTime;
  private final Stage stage;
  private final Remembered remembered;
  private final Optional<String> refusal;

  /** Work under way, and ended work whose owner does not know the end. */
  private final Map<Order, Asked> works = new ConcurrentHashMap<>();

  /** The ends that an owner, which does not know them, learns when it asks again. */
  enum Remembered {
    /** Failures: the work itself shows a success, and may have been undone since. */
    FAILURES,
    /** All ends. */
    ALL
  }

  /** Carries out an order. */
  interface Work {
    PeerReply run() throws IOException;
  }

  private record Order(Object line, Object work) {}

  /** Work, and when its owner has asked for it last. */
  private record Asked(CompletableFuture<PeerReply> end, AtomicLong atNanos) {}

  /**
   * No orders yet.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param stage works; stays the caller's to end
   * @param refusal refuses an order for which the stage has no room; names what to do instead.
   *     Without one its owner learns that it goes on, and asks again
   */
  LongOrders(
      Waits waits,
      LongSupplier nanoTime,
      Stage stage,
      Remembered remembered,
      Optional<String> refusal) {
    this.waits = waits;
    this.nanoTime = nanoTime;
    this.stage = stage;
    this.remembered = remembered;
    this.refusal = refusal;
  }

  /**
   * The answer to an order: its end, or {@link PeerReply.StillWriting} after some seconds. Work
   * whose owner has stopped asking before its turn is not begun.
   *
   * @param line whose orders replace each other; one with an end is forgotten for the next
   * @param order equals that of a repeated order
   * @param bytes as of {@link Stage#offer}
   */
  CompletionStage<PeerReply> answer(Object line, Object order, long bytes, Work work) {
    Order key = new Order(line, order);
    works
        .entrySet()
        .removeIf(
            each ->
                each.getKey().line().equals(line)
                    && !each.getKey().equals(key)
                    && each.getValue().end().isDone());
    Asked asked = works.computeIfAbsent(key, k -> begun(bytes, work));
    asked.atNanos().set(nanoTime.getAsLong());
    return held(key, asked);
  }

  private Asked begun(long bytes, Work work) {
    AtomicLong atNanos = new AtomicLong(nanoTime.getAsLong());
    Work wanted =
        () -> {
          if (nanoTime.getAsLong() - atNanos.get() > SILENCE_NANOS) {
            throw new IOException("its owner has not asked for it for 30 s");
          }
          return work.run();
        };
    return new Asked(begin(bytes, wanted), atNanos);
  }

  /** Answers within a time that any owner waits. */
  private CompletionStage<PeerReply> held(Order key, Asked work) {
    CompletableFuture<PeerReply> answer = new CompletableFuture<>();
    var unused =
        work.end()
            .whenComplete(
                (end, failure) -> {
                  boolean isRemembered = failure != null || remembered == Remembered.ALL;
                  // before the answer, after which the owner may ask again at once
                  if (!answer.isDone() || !isRemembered) {
                    works.remove(key, work);
                  }
                  if (failure == null) {
                    answer.complete(end);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                });
    return waits.completeAfter(answer, new PeerReply.StillWriting(), HOLD.toNanos());
  }

  /** Works on something in its turn. If the stage has no room, something without bytes fails. */
  CompletableFuture<PeerReply> begin(long bytes, Work work) {
    CompletableFuture<PeerReply> end = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            end.complete(work.run());
          } catch (IOException | RuntimeException | Error e) { // every failure is the owner's
            end.completeExceptionally(e);
          }
        };
    if (!stage.offer(bytes, task)) {
      full(bytes, end);
    }
    return end;
  }

  private void full(long bytes, CompletableFuture<PeerReply> end) {
    if (bytes > 0 && refusal.isEmpty()) {
      end.complete(new PeerReply.StillWriting());
    } else {
      end.completeExceptionally(
          new IOException(
              String.format(
                  Locale.ROOT, "%d bytes %s", stage.queuedBytes(), refusal.orElse("wait here"))));
    }
  }
}
