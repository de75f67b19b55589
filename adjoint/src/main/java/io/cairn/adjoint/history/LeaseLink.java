package io.cairn.adjoint.history;

import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply.Greeting;
import java.io.Closeable;
import java.io.IOException;

/**
 * A borrower's way to a lender, for one lease. One thread borrows; any thread answers and closes.
 */
interface LeaseLink extends Closeable {
  /** The lender's memory. */
  Greeting greet() throws IOException;

  /** Asks for chunks; once. */
  LeaseAnswer acquire(LeaseRequest.Acquire request) throws IOException;

  /**
   * From now on listens to the lender of a granted lease.
   *
   * @param vacate runs when the lender needs its chunks; the borrower closes this, or keeps them
   * @param gone runs once the lender has ended, or this is closed
   */
  void listen(Runnable vacate, Runnable gone);

  /** The borrower has no other room for its states: they stay. */
  void keep();

  /** Releases the lease: the borrower writes to none of its chunks any more. Idempotent. */
  @Override
  void close();
}
