/**
 * Leases of spare device memory, as state machines without I/O, threads or clock. Each takes an
 * event and the time, and returns a list of actions. {@link io.cairn.core.sharing.PlanDesk}
 * collects reports and plans. {@link io.cairn.core.sharing.LeaseBook} is one lender's authority
 * over the slots that its cache lends: the desk's record may be stale, the book's is not. {@code
 * docs/LEASES.md} has the states of a lease.
 *
 * <p>Glossary:
 *
 * <ul>
 *   <li><b>holder</b>: a process with a device cache, registered at the desk; it may lend, borrow,
 *       or both
 *   <li><b>lender</b>: the holder whose slots are leased; its <b>owner</b> is its own trainer
 *   <li><b>borrower</b>: the holder that writes chunks into the slots of a lease
 *   <li><b>lease</b>: the right of one rank's checkpoint to use slots of a lender, from the grant
 *       to the return of the last slot; <b>position</b>: one slot of a lease, for one chunk
 *   <li><b>planned lease</b>: the desk's advice to a rank to acquire a lease of a lender
 *   <li><b>spare</b>: slots that a cache could lend now; <b>lent</b>: slots that belong to a lease
 *   <li><b>promise</b>: the lender keeps the slots for the borrower; time, revocation and a later
 *       epoch end it
 *   <li><b>leased chunk</b>: a chunk that a borrower wrote under a lease
 *   <li><b>withdrawn</b>: a checkpoint of which chunks at DEVICE are lost
 * </ul>
 *
 * <p>The book guarantees the following even if messages are lost, late or repeated, and processes
 * are suspended or killed:
 *
 * <ul>
 *   <li>A slot returns to the cache only when nobody can still write to it. The right to write
 *       begins with the grant. It ends when the borrower reports the slot filled, releases it, or
 *       is confirmed dead. Time ends no right: expiry, revocation and a later epoch end the
 *       promise, and the slot waits in quarantine.
 *   <li>A slot returns only when no verification, move, flush or restore reads it under a pin.
 *   <li>An acknowledged chunk is where the book says, bit for bit, or its checkpoint is withdrawn.
 *   <li>Nothing is captured again under an old id: a withdrawn checkpoint is granted no lease.
 *   <li>Older epochs never count: they are granted and acknowledged nothing.
 *   <li>Every list, table and window is bounded.
 * </ul>
 *
 * <p>The book demands of a borrower:
 *
 * <ul>
 *   <li>It numbers its leases upwards and uses no number twice.
 *   <li>It reports a slot filled, or releases it, only after all of its copies to that slot have
 *       ended. It writes nothing there afterwards, even if a grant arrives late.
 *   <li>It repeats each message until it is answered.
 *   <li>It ends every request in a release, whatever the answer, since an earlier grant may have
 *       been lost.
 * </ul>
 *
 * <p>Histories of states lend by the book, too. Their leases belong to no checkpoint and do not
 * expire; a borrower never reports their slots filled.
 *
 * <p>Slots are numbers here. Memory, handles and sockets belong to the carriers, plans to {@code
 * io.cairn.core.flow}, messages as bytes to {@code io.cairn.core.wire}, seals and epochs to {@code
 * io.cairn.core.protocol}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.sharing;

import org.jspecify.annotations.NullMarked;
