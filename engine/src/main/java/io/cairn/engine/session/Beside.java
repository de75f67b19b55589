package io.cairn.engine.session;

import io.cairn.cache.capture.CaptureBeside;
import io.cairn.core.session.Outcome;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * A capture that is copied while the training goes on, and whether the training has waited for it.
 * The training thread owns it.
 */
final class Beside {
  private final CaptureBeside copies;
  private final Ticket ticket;
  private final Tickets tickets;
  private final long bytes;
  private final Waiting waiting;
  private boolean awaited;
  private boolean free;

  Beside(CaptureBeside copies, Ticket ticket, Tickets tickets, long bytes, LongSupplier nanoTime) {
    this.copies = copies;
    this.ticket = ticket;
    this.tickets = tickets;
    this.bytes = bytes;
    this.waiting = new Waiting(nanoTime);
  }

  /** The time that the training waits for it. */
  Waiting waiting() {
    return waiting;
  }

  /** Copies what is left, and waits until all regions may be written; returns for how long. */
  long await() {
    return await(copies::awaitFree);
  }

  /** Likewise, for one region. */
  long await(String region) {
    return await(() -> copies.awaitFree(region));
  }

  private long await(Runnable copying) {
    awaited = true;
    waiting.begin();
    long waitedNanos;
    try {
      copying.run();
    } finally {
      waitedNanos = waiting.end();
    }
    allowWrites();
    return waitedNanos;
  }

  /** The thread that lands the capture reports a failure. */
  private void allowWrites() {
    free = copies.isFree();
    if (free && !copies.hasFailed()) {
      tickets.capture(ticket, new Outcome.Captured(bytes));
    }
  }

  /**
   * The training has computed another iteration. If it did not wait for a copy that is still under
   * way, it has written under it.
   */
  void overtaken() {
    if (free) {
      return;
    }
    if (!awaited && !copies.isFree()) {
      copies.fail(
          new IOException(
              ticket.id()
                  + " was still being copied when its training had computed the next iteration,"
                  + " and so had written under the copy; call awaitCaptured() before the regions"
                  + " are written"));
    }
    copies.awaitFree();
    allowWrites();
  }
}
