package io.cairn.spark;

import io.cairn.Cairn;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * A rank of a coupled group that goes back with its group whenever a rank joins again, until the
 * last checkpoint is sealed.
 */
record RejoiningRank(ToyRank toy) {
  String train() {
    long[] state = new long[ToyRank.LENGTH];
    try (Checkpointer checkpointer = join()) {
      checkpointer.protect(Region.of("state", state));
      long next = restore(checkpointer, state);
      while (next < toy.iterations()) {
        pause();
        ToyRank.step(state, toy.rank(), next);
        boolean last = next == toy.iterations() - 1;
        CheckpointTicket ticket = last ? checkpointer.end(next) : checkpointer.checkpoint(next);
        toy.tellWhenSealed(ticket, checkpointer.epoch());
        next = isOver(ticket, last) ? restore(checkpointer, state) : next + 1;
      }
    }
    return ToyRank.digest(state);
  }

  private Checkpointer join() {
    return Cairn.current().join(toy.group(), toy.rank(), toy.size());
  }

  private void pause() {
    LockSupport.parkNanos(toy.stepMillis() * 1_000_000L);
  }

  /** Whether the epoch ended before this checkpoint counted. The last one counts when sealed. */
  private static boolean isOver(CheckpointTicket ticket, boolean last) {
    Outcome captured = ticket.captured().join();
    Outcome sealed = last ? ticket.sealed(Level.STORE).toCompletableFuture().join() : captured;
    return captured instanceof Outcome.Fenced || sealed instanceof Outcome.Fenced;
  }

  private long restore(Checkpointer checkpointer, long[] state) {
    Arrays.fill(state, 0);
    long next = checkpointer.restore().map(report -> report.id().iteration() + 1).orElse(0L);
    toy.report("start", ProcessHandle.current().pid(), checkpointer.epoch(), next, Level.DEVICE);
    return next;
  }
}
