package io.cairn.engine.coordination;

import io.cairn.Member;
import io.cairn.RestoreException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Bounds the time for which a rank waits for a coordinator that does not answer. The coordinator
 * itself bounds the wait for missing ranks. Not thread-safe.
 */
final class Silence {
  private final Duration longest;
  private final LongSupplier nanoTime;
  private OptionalLong sinceNanos = OptionalLong.empty();

  /** Nothing is awaited yet. */
  Silence(Duration longest, LongSupplier nanoTime) {
    this.longest = longest;
    this.nanoTime = nanoTime;
  }

  /** A wait begins; the coordinator may have answered unseen since the last one. */
  void begin() {
    sinceNanos = OptionalLong.empty();
  }

  /**
   * Looks whether the coordinator still is silent; called again and again by the rank that waits.
   *
   * @param trouble why it cannot be asked; empty if it answers
   * @throws RestoreException after the longest time without an answer
   */
  void requireShort(Member member, Optional<String> trouble) {
    if (trouble.isEmpty()) {
      sinceNanos = OptionalLong.empty();
      return;
    }
    long now = nanoTime.getAsLong();
    sinceNanos = OptionalLong.of(sinceNanos.orElse(now));
    if (now - sinceNanos.getAsLong() >= longest.toNanos()) {
      throw new RestoreException(
          String.format(
              Locale.ROOT,
              "%s cannot reach its coordinator for %d s, the setting joinTimeout: %s",
              member,
              longest.toSeconds(),
              trouble.get()));
    }
  }
}
