package io.cairn.adjoint.history;

import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.core.wire.PeerRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A lease of memory of another process, at its borrower. Thread-safe. */
final class MachineLease implements LeaseLink {
  private final MachineProcess lender;
  private final Map<LeaseId, MachineLease> open;
  private final Executor waiting;
  private String history = "";
  private volatile @Nullable LeaseId id;

  /** Answers the lender; there once the grant is used or given up. */
  private final CompletableFuture<BooleanSupplier> whenAsked = new CompletableFuture<>();

  private volatile @Nullable Runnable whenGone;
  private volatile boolean closed;

  /** To the lender's newest question, so that one thread at a time waits for states. */
  private CompletableFuture<Boolean> vacated = CompletableFuture.completedFuture(false);

  /** Whether the lender is told at this moment. */
  private boolean tells;

  /**
   * No lease yet.
   *
   * @param lender which this closes
   * @param open has this from the request on, until the lender knows that it is over
   * @param waiting runs what waits for states, each task on a thread of its own
   */
  MachineLease(MachineProcess lender, Map<LeaseId, MachineLease> open, Executor waiting) {
    this.lender = lender;
    this.open = open;
    this.waiting = waiting;
  }

  @Override
  public Greeting greet() throws IOException {
    Greeting greeting = lender.ask(new PeerRequest.Greet(), Greeting.class);
    history = greeting.holder();
    return greeting;
  }

  @Override
  public LeaseAnswer acquire(LeaseRequest.Acquire request) throws IOException {
    id = request.id();
    open.put(request.id(), this);
    String greeted = history;
    LeaseAnswer answer =
        lender.ask(new PeerRequest.Lease(request), PeerReply.Leased.class).answer();
    if (!greet().holder().equals(greeted)) { // its chunks lie in other memory
      throw new IOException("another history lends there since it was greeted");
    }
    return answer;
  }

  @Override
  public void listen(BooleanSupplier vacate, Runnable gone) {
    whenGone = gone;
    whenAsked.complete(vacate);
  }

  /** The lender needs its memory: whether this process writes there no more, once that is known. */
  synchronized CompletionStage<Boolean> vacate() {
    if (vacated.isDone()) {
      vacated = whenAsked.thenApplyAsync(asked -> closed || asked.getAsBoolean(), waiting);
    }
    return vacated;
  }

  /**
   * Looks whether the lender died, or does not know that the lease is over. One thread calls it.
   */
  void look() {
    Runnable lost = whenGone;
    if (closed) {
      release();
    } else if (lost != null && lender.isGone()) {
      whenGone = null;
      waiting.execute(lost);
    }
  }

  /** Whether the borrower writes there no more. */
  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    whenAsked.complete(() -> true);
    release();
  }

  /** If no answer comes, a later look tells the lender again. */
  private synchronized void release() {
    LeaseId over = id;
    if (over == null || lender.isGone()) {
      forget(over);
    } else if (!tells) {
      tells = true;
      var unused =
          lender
              .send(new PeerRequest.Lease(new LeaseRequest.Release(over)), PeerReply.Leased.class)
              .whenComplete((answer, failure) -> told(over, failure == null));
    }
  }

  private void told(LeaseId over, boolean knows) {
    if (knows) {
      forget(over);
    } else {
      synchronized (this) {
        tells = false;
      }
    }
  }

  private void forget(@Nullable LeaseId over) {
    if (over != null) {
      open.remove(over);
    }
    lender.close();
  }
}
