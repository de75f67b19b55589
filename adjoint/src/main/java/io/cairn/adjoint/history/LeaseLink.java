package io.cairn.adjoint.history;

import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply.Greeting;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A borrower's way to a lender, for one lease. One thread borrows; any thread closes. */
interface LeaseLink extends Closeable {
  /** The lender's memory. */
  Greeting greet() throws IOException;

  /** Asks for chunks; once. */
  LeaseAnswer acquire(LeaseRequest.Acquire request) throws IOException;

  /**
   * From now on listens to the lender of a granted lease.
   *
   * @param vacate runs when the lender needs its chunks: whether the borrower has closed this
   * @param gone runs once if the lender has ended before this is closed
   */
  void listen(BooleanSupplier vacate, Runnable gone);

  /** Releases the lease: the borrower writes to none of its chunks any more. Idempotent. */
  @Override
  void close();
}
