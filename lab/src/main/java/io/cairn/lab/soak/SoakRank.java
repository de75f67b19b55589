package io.cairn.lab.soak;

import io.cairn.Cairn;
import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.lab.soak.SoakEvent.Executor;
import io.cairn.lab.soak.SoakEvent.What;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.spark.SparkEnv;

/**
 * A rank's training, run in an executor: its state is a function of group, rank and iteration, so
 * that whatever is restored can be compared to the last bit. Now and then a step is bad, and all
 * ranks of the group go back.
 */
record SoakRank(String directory, SoakGroup group, int rank) implements Serializable {
  private static final long STEP_NANOS = 10_000_000;
  private static final int BAD_EVERY = 150;
  private static final long SEAL_SECONDS = 3;

  /** Trains until the log names the last iteration. */
  void train() throws InterruptedException {
    Cairn cairn = Cairn.current();
    Consumer<CairnEvent> reporter = new Reporter(this);
    cairn.addObserver(reporter);
    try (Checkpointer checkpointer = cairn.join(group.name(), rank, group.size())) {
      long[] state = new long[group.chunks().get(rank) * SoakGroup.CHUNK_BYTES / Long.BYTES];
      checkpointer.protect(Region.of("state", state));
      train(checkpointer, state);
      report(What.END, checkpointer.epoch(), -1, SoakEvent.NONE);
    } finally {
      cairn.removeObserver(reporter);
    }
  }

  private void train(Checkpointer checkpointer, long[] state) throws InterruptedException {
    SoakLog log = log();
    long next = restore(checkpointer, state, What.START);
    long lastBad = next;
    while (next < log.files().endAt().orElse(Long.MAX_VALUE)) {
      LockSupport.parkNanos(STEP_NANOS);
      step(state, next);
      CheckpointTicket ticket = checkpointer.checkpoint(next);
      if (ticket.captured().join() instanceof Outcome.Fenced fenced) {
        // a rank that ended well would not be started again, and the others would wait for it
        throw new IllegalStateException(ticket.id() + " is fenced: " + fenced.reason());
      }
      next++;
      if (group.size() > 1) {
        // coupled ranks go in step: each waits until the others have spoken of this checkpoint
        sealedAtDevice(ticket);
      }
      if (next % BAD_EVERY == 0 && next > lastBad) {
        lastBad = next;
        String sealed = sealedAtDevice(ticket) ? Level.DEVICE.name() : SoakEvent.NONE;
        report(What.BAD_STEP, checkpointer.epoch(), ticket.id().iteration(), sealed);
        next = restore(checkpointer, state, What.AGAIN);
      }
    }
  }

  /** Waits no longer than it takes; another rank of the group may be gone. */
  private static boolean sealedAtDevice(CheckpointTicket ticket) throws InterruptedException {
    try {
      return ticket.sealed(Level.DEVICE).toCompletableFuture().get(SEAL_SECONDS, TimeUnit.SECONDS)
          instanceof Outcome.Sealed;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("tickets never complete exceptionally", e);
    }
  }

  private long restore(Checkpointer checkpointer, long[] state, What what) {
    Arrays.fill(state, -1);
    Optional<RestoreReport> report = checkpointer.restore();
    long iteration = report.map(found -> found.id().iteration()).orElse(-1L);
    String level = report.map(found -> found.level().name()).orElse(SoakEvent.NONE);
    if (report.isPresent() && !isUndisturbed(state, iteration)) {
      report(What.DAMAGED, checkpointer.epoch(), iteration, level);
    }
    report(what, checkpointer.epoch(), iteration, level);
    return iteration + 1;
  }

  private boolean isUndisturbed(long[] state, long iteration) {
    long[] expected = new long[state.length];
    step(expected, iteration);
    return Arrays.equals(state, expected);
  }

  private void step(long[] state, long iteration) {
    long seed = (group.name().hashCode() * 31L + rank) * 31L + iteration;
    for (int i = 0; i < state.length; i++) {
      long mixed = (seed + i) * 0x9E3779B97F4A7C15L;
      state[i] = (mixed ^ (mixed >>> 29)) * 0xBF58476D1CE4E5B9L;
    }
  }

  private void report(What what, long epoch, long iteration, String level) {
    Executor executor = new Executor(ProcessHandle.current().pid(), SparkEnv.get().executorId());
    log().report(new SoakEvent(what, rank, executor, epoch, iteration, level));
  }

  private SoakLog log() {
    return new SoakLog(Path.of(directory), group.name());
  }

  /** Tells what becomes of this rank's checkpoints. */
  private record Reporter(SoakRank soaked) implements Consumer<CairnEvent> {
    private boolean isOwn(Member member) {
      return member.group().group().equals(soaked.group.name()) && member.rank() == soaked.rank;
    }

    @Override
    public void accept(CairnEvent event) {
      if (event instanceof CairnEvent.Settled settled && isOwn(settled.member())) {
        settled(settled.id(), settled.level(), settled.outcome());
      } else if (event instanceof CairnEvent.Withdrawn withdrawn && isOwn(withdrawn.member())) {
        CheckpointId id = withdrawn.id();
        soaked.report(What.WITHDRAWN, id.epoch(), id.iteration(), Level.DEVICE.name());
      }
    }

    private void settled(CheckpointId id, Level level, Outcome outcome) {
      if (level != Level.DEVICE && outcome instanceof Outcome.Sealed) {
        soaked.report(What.SEALED, id.epoch(), id.iteration(), level.name());
      }
    }
  }
}
