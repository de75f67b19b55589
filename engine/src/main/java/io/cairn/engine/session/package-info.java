/**
 * A rank's session: capture into the device cache, the tickets that follow each checkpoint through
 * the levels, and the rank's part in a restore. Copying lives in {@code io.cairn.cache.capture};
 * choosing and verifying stored copies lives in {@code io.cairn.flush.restore}.
 *
 * <p>The threads, and what each of them runs:
 *
 * <pre>
 * training      CheckpointSession ── Captures ── Reservations, Beside, StraightCaptures
 *                 ├─ LastIteration, Attribution, Timing, TrainingPatience
 *                 └─ GroupRestore ── Offers, Examiner, ReshapedData, SlotLanding; Loading
 * completer     Arrivals: captures land, one after the other
 * coordination  Arrivals: orders; Tickets, Ticket: outcomes
 * any           EpochSession, Ticket.Reporter, FallBack, FreshnessAlarm
 * the process's SessionContext, Start, Planners, DeviceCopies
 * </pre>
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.session;

import org.jspecify.annotations.NullMarked;
