package io.cairn.engine.session;

import io.cairn.Outcome;
import io.cairn.cache.capture.Snapshot;
import io.cairn.core.model.Fingerprint;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A capture that a training has asked for.
 *
 * @param program that the regions belong to
 * @param mode who copies, and whether the checkpoint is the training's last, as far as is known
 * @param timing how long the checkpoint has stopped the training so far
 */
record CaptureRequest(
    EpochSession epoch,
    Ticket ticket,
    Snapshot snapshot,
    Fingerprint program,
    Captures.Mode mode,
    Supplier<Timing> timing) {
  /** Reports what becomes of it, with the timing of this moment. */
  TicketReporter reporter(LongSupplier nanoTime) {
    return new TicketReporter(epoch, ticket, timing.get(), nanoTime);
  }

  /** The outcome when all regions were read. */
  Outcome captured() {
    return new Outcome.Captured(snapshot.bytes());
  }
}
