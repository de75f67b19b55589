package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.engine.events.Watchdog;
import io.cairn.flush.pipeline.Stage;
import java.io.IOException;
import java.util.Optional;

/**
 * One rank's checkpoint in the queue of a step. It is written in its turn, unless the group gives
 * it up there before; a write under way breaks off then.
 *
 * @param held whether another level below DEVICE holds it
 * @param unpin lets go of what the write reads from
 */
record QueuedWrite(PromotionStep step, Promoted checkpoint, boolean held, Runnable unpin, Way way)
    implements Stage.InLine {

  /** The promotion that this write is a part of. */
  interface Way {
    /**
     * Opens the copy to read from, for at most so many threads.
     *
     * @throws IOException if the captured one is the nearest, and is damaged
     */
    OpenCopies nearest(PromotionStep step, Promoted checkpoint, int most) throws IOException;

    /** A write begins; the caller closes it. */
    Watchdog.Work begins(Promoted checkpoint, Level level);

    /**
     * Begins the steps that wait for a level.
     *
     * @param held whether that level, or another one below DEVICE, holds the checkpoint
     */
    void onwards(Level level, Promoted checkpoint, boolean held);

    /** Logs an error. */
    void failed(Promoted checkpoint, Level level, Exception cause);
  }

  /**
   * Whether it is this rank's checkpoint, and the group gave it up here. A second capture of an
   * iteration, whose ticket is open, is not, although the outcome of the first may arrive late.
   */
  boolean isGivenUp(CheckpointId id, int rank) {
    return checkpoint.id().equals(id)
        && checkpoint.rank() == rank
        && checkpoint.reporter().isGivenUp(step.level());
  }

  /** A rank's checkpoints are written in their order: STORE takes none after a newer one. */
  @Override
  public Object line() {
    return checkpoint.member();
  }

  @Override
  public void run() {
    try {
      boolean written = watched();
      way.onwards(step.level(), checkpoint, held || written);
    } catch (SupersededException e) {
      checkpoint.reporter().fenced(String.valueOf(e.getMessage()));
    } finally {
      unpin.run();
    }
  }

  /** The group gave it up before its turn came. */
  void leave() {
    boolean again =
        checkpoint.reporter().leftOut(step.level()) && step.stage().admit(checkpoint.bytes(), this);
    if (!again) {
      way.onwards(step.level(), checkpoint, held);
      unpin.run();
    }
  }

  /**
   * Whether a checkpoint is still to be written to a level; if not, that is noted. One that pins
   * DEVICE is not, once this rank alone has ended.
   */
  static boolean isWanted(Promoted checkpoint, Level level, boolean held) {
    RankReporter reporter = checkpoint.reporter();
    boolean over = held ? reporter.isGivenUp(level) : reporter.isSettled(level);
    return !over || reporter.leftOut(level);
  }

  private boolean watched() throws SupersededException {
    Watchdog.Work work = way.begins(checkpoint, step.level());
    try {
      return write();
    } finally {
      work.close();
    }
  }

  /** Writes it; false if that failed, which is reported, or is not wanted any more. */
  private boolean write() throws SupersededException {
    Level level = step.level();
    Optional<String> unclaimed = checkpoint.reporter().unclaimed();
    if (unclaimed.isPresent()) {
      failed(new IOException(unclaimed.get()));
      return false;
    }
    while (isWanted(checkpoint, level, held)) {
      try {
        checkpoint.reporter().held(level, step.writer().write(checkpoint, this::open));
        return true;
      } catch (SupersededException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        if (!brokeOff(e)) {
          log(e);
          if (!checkpoint.reporter().askedMeanwhile(level)) {
            gaveUp(e);
            return false;
          }
        }
      } catch (OutOfMemoryError e) {
        failed(new IOException("no memory to write it: " + e.getMessage(), e));
        return false;
      } catch (Error e) { // such as a class that is missing: the steps after this one go on
        failed(new IOException(e.toString(), e));
        return false;
      }
    }
    return false;
  }

  /** The guard is not asked again: the checkpoint may be wanted once more since it threw. */
  private boolean brokeOff(Exception cause) {
    return isSkip(cause)
        && (cause instanceof GivenUpException || checkpoint.reporter().isGivenUp(step.level()));
  }

  /** A write that may have left remains has failed: it did not just break off. */
  private static boolean isSkip(Exception cause) {
    return cause instanceof SkippedException && cause.getSuppressed().length == 0;
  }

  private OpenCopies open(int most) throws IOException {
    return way.nearest(step, checkpoint, most).guardedBy(this::requireWanted);
  }

  private void requireWanted() throws GivenUpException {
    if (checkpoint.reporter().isGivenUp(step.level())) {
      throw new GivenUpException();
    }
  }

  /** The group gave the checkpoint up while it was written. */
  private static final class GivenUpException extends SkippedException {
    private static final long serialVersionUID = 1;

    GivenUpException() {
      super("the group gave the checkpoint up");
    }
  }

  private void failed(Exception cause) {
    log(cause);
    gaveUp(cause);
  }

  private void log(Exception cause) {
    if (why(cause) == Why.FAILED) {
      way.failed(checkpoint, step.level(), cause);
    }
  }

  private void gaveUp(Exception cause) {
    Why why = why(cause);
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    checkpoint.reporter().gaveUp(step.level(), why, message);
  }

  private static Why why(Exception cause) {
    if (!isSkip(cause)) {
      return Why.FAILED;
    }
    return cause instanceof NotDueException ? Why.NOT_DUE : Why.SKIPPED;
  }
}
