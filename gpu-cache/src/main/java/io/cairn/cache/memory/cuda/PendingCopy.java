package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.CopyEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies that end with an event of the driver. */
final class PendingCopy implements CopyEvent {
  private static final Logger LOG = LoggerFactory.getLogger(PendingCopy.class);

  private final CudaContext context;
  private final EventPool events;
  private final long event;
  private final int[] checksums;
  private volatile boolean sourceFree;
  private final Runnable landed;
  private @Nullable ApplicationWork before;
  private @Nullable HoldUp holdUp;
  private @Nullable CudaException failure;
  private volatile boolean ended;

  /** Lets the application's later work wait for the copies, so that it may write all sources. */
  interface HoldUp {
    void run(CurrentContext calls) throws CudaException;
  }

  /**
   * Copies that were started.
   *
   * @param event recorded after the last of them; goes back to the pool when they have ended
   * @param checksums of the chunks, empty for a copy without; taken over, not copied
   * @param sourceFree whether the application may write the sources from now on
   * @param landed runs once all copies have landed, before anybody reads the checksums
   */
  PendingCopy(
      CudaContext context,
      EventPool events,
      long event,
      int[] checksums,
      boolean sourceFree,
      Runnable landed) {
    this.context = context;
    this.events = events;
    this.event = event;
    this.checksums = checksums;
    this.sourceFree = sourceFree;
    this.landed = landed;
  }

  /**
   * Names the work that the copies wait for; called once, before others have the copy.
   *
   * @return this copy
   */
  PendingCopy after(ApplicationWork work) {
    before = work;
    return this;
  }

  /** Says how the sources become free before the copies end; called once, before others have it. */
  void freedBy(HoldUp how) {
    holdUp = how;
  }

  /** If the GPU refuses, the sources are free when the copies have ended. */
  @Override
  public synchronized void freeSources() {
    HoldUp how = holdUp;
    if (how == null || sourceFree || isOver()) {
      return; // copies that have ended need no stream, which may be gone
    }
    try (CurrentContext calls = context.enter()) {
      how.run(calls);
      sourceFree = true;
    } catch (CudaException e) {
      LOG.warn("{}: the training waits for a copy by itself", context, e);
    }
    holdUp = null;
  }

  @Override
  public boolean isDone() {
    return ended || query();
  }

  @Override
  public boolean isSourceFree() {
    return sourceFree || isDone();
  }

  /** Whether there is nothing to wait for: it has ended, or nobody will see its end. */
  synchronized boolean isOver() {
    return query() || failure != null;
  }

  /** Asks again after a question that failed: a dead GPU may answer late. */
  private synchronized boolean query() {
    if (ended) {
      return true;
    }
    try (CurrentContext calls = context.enterToAsk()) {
      if (calls.hasEnded(event)) {
        if (before != null) {
          before.isDone(); // gives its event back
        }
        landed.run();
        events.give(event);
        ended = true;
      }
    } catch (CudaException e) { // nobody sees the end, so nothing may use its memory again
      if (failure == null) {
        failure = context.isClosed() ? e : context.lost(e);
      }
      ended = e.isSticky(); // the GPU has ended all of its work then
    }
    return ended;
  }

  @Override
  public void await() throws IOException, InterruptedException {
    ApplicationWork work = before;
    if (work != null && !isOver()) {
      context.awaitApplication(work);
    }
    context.await("a copy", this::isOver);
    throwFailure();
  }

  /** The patience with the GPU counts from the call, however often the thread is interrupted. */
  @Override
  public void awaitLanding() throws IOException {
    ApplicationWork work = before;
    if (work != null && !isOver()) {
      context.awaitApplicationSurely(work);
    }
    context.awaitSurely("a copy", this::isOver);
    throwFailure();
  }

  /** Throws if it ended badly. */
  synchronized void throwFailure() throws CudaException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public synchronized int checksum(int chunk) {
    if (!ended || failure != null) {
      throw new IllegalStateException("a copy on " + context + " is under way or has failed");
    } else if (checksums.length == 0) {
      throw new IllegalStateException("a copy to the application's memory computes no checksum");
    }
    return checksums[chunk];
  }
}
