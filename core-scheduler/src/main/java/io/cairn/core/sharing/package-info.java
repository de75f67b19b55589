/**
 * Spare device memory that holders lend to each other's checkpoints, as state machines without I/O,
 * threads or clock: an event and the time come in, a list of actions goes out.
 *
 * <p>A holder is a process with a device cache. {@link io.cairn.core.sharing.PlanDesk} collects
 * what ranks cannot keep and what holders have spare, and answers each rank with its part of one
 * plan. {@link io.cairn.core.sharing.LeaseBook} is one receiver's authority over the slots that its
 * cache lends: the desk's picture may be stale, the book's is not. Their messages as bytes are
 * {@code io.cairn.core.wire}'s.
 *
 * <p>What holds, whatever is lost, late, doubled, stopped or killed:
 *
 * <ul>
 *   <li>A slot is granted, freed or returned only when nobody can still write to it. The right to
 *       write begins with a grant and ends when the sender says that it has filled the slot, when
 *       it releases the slot, or with the proof that its process is dead. Time ends no right:
 *       expiry, revocation and a later epoch end the promise, and the slot waits in quarantine.
 *   <li>A slot is freed only when nobody reads it under a pin: the verifier, the mover, the flush
 *       and a restore.
 *   <li>What was acknowledged is where the book says, bit for bit, or its checkpoint was withdrawn.
 *   <li>Nothing is captured again under an old id: a withdrawn checkpoint is never granted again.
 *   <li>Older epochs never count: they are neither granted nor acknowledged anything.
 *   <li>Every list, table and window is bounded.
 * </ul>
 *
 * <p>What these rules ask of a sender: it numbers its claims upwards and uses no number twice; it
 * says filled, and releases, only after all of its copies to that slot have ended, those of other
 * threads, streams and connections included; it writes nothing afterwards, whatever grant arrives
 * late; it repeats each message until it is answered; and every claim ends in a release, whatever
 * it was answered, since an earlier grant may have been lost.
 *
 * <p>Slots are numbers here. Memory, handles and sockets are their carriers', plans are {@code
 * io.cairn.core.flow}'s, seals and epochs {@code io.cairn.core.protocol}'s.
 */
@NullMarked
package io.cairn.core.sharing;

import org.jspecify.annotations.NullMarked;
