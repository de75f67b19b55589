/**
 * Identity and liveness of other holders, and requests to them; used by lender, borrower and desk.
 * Does not know the roles of a lease.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.sharing.peer;

import org.jspecify.annotations.NullMarked;
