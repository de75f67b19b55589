package io.cairn.lab.toy;

import io.cairn.Cairn;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** One rank of the coupled group, in a task. */
final class ToyRank {
  private static final long STEP_NANOS = 20_000_000;

  private final Path directory;
  private final int rank;
  private final int ranks;

  ToyRank(Path directory, int rank, int ranks) {
    this.directory = directory;
    this.rank = rank;
    this.ranks = ranks;
  }

  /**
   * Trains from the newest checkpoint to the end.
   *
   * @return the digest of the state
   * @throws IllegalStateException if a later attempt fences this one
   */
  String train(long iterations) {
    ToyState state = new ToyState(rank);
    try (Checkpointer checkpointer = Cairn.current().join("toy", rank, ranks)) {
      checkpointer.protect(Region.of("state", state.numbers()));
      Optional<RestoreReport> restored = checkpointer.restore();
      long from = restored.map(r -> r.id().iteration() + 1).orElse(0L);
      String source = restored.map(r -> r.level().name()).orElse("none");
      report("start", checkpointer.epoch(), from, source);
      for (long i = from; i < iterations; i++) {
        state.step(i);
        LockSupport.parkNanos(STEP_NANOS);
        checkpoint(checkpointer, i);
      }
      checkpointer.end(iterations - 1);
    }
    return state.digest();
  }

  private void checkpoint(Checkpointer checkpointer, long iteration) {
    CheckpointTicket ticket = checkpointer.checkpoint(iteration);
    long epoch = checkpointer.epoch();
    var unused =
        ticket
            .sealed(Level.NODE)
            .thenAccept(
                outcome -> {
                  if (outcome instanceof Outcome.Sealed) {
                    report("sealed", epoch, iteration, Level.NODE.name());
                  }
                });
    if (ticket.captured().join() instanceof Outcome.Fenced fenced) {
      throw new IllegalStateException(ticket.id() + " is fenced: " + fenced.reason());
    }
  }

  private void report(String what, long epoch, long iteration, String source) {
    String jar =
        Path.of(Cairn.class.getProtectionDomain().getCodeSource().getLocation().getPath())
            .getFileName()
            .toString();
    new ToyEvent(what, rank, ProcessHandle.current().pid(), epoch, iteration, source, jar)
        .report(directory);
  }
}
