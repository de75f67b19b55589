/**
 * The borrower: leases slots at the lenders that the desk planned, writes chunks there, reads them
 * back, and releases every lease. One whose memory is out of reach is written by pushes, in pieces.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.sharing.borrower;

import org.jspecify.annotations.NullMarked;
