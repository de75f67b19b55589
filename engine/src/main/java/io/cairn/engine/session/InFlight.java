package io.cairn.engine.session;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.core.model.CheckpointId;
import io.cairn.engine.promotion.Timing;
import io.cairn.engine.sharing.borrower.Loans;

/**
 * A capture that was begun. Immutable itself; its parts are thread-safe as far as they say so.
 *
 * @param slots what is copied into, at home
 * @param capture the copying
 * @param loans what of it lies at other holders
 * @param bytes of all regions
 */
record InFlight(
    Stint stint,
    Ticket ticket,
    CachedCheckpoint slots,
    Capture capture,
    Loans loans,
    long bytes,
    Timing timing) {
  CheckpointId id() {
    return ticket.id();
  }
}
