package io.cairn.spark;

import io.cairn.Cairn;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.TaskContext;

/**
 * A training of a few numbers, run in an executor: every iteration depends on all before it, so its
 * end shows whether one was lost or repeated. Reports its steps to the test as lines in a file.
 */
record ToyRank(
    String directory,
    String group,
    int rank,
    int size,
    int iterations,
    int stepMillis,
    int length) {
  static final int LENGTH = 3000;

  ToyRank(String directory, String group, int rank, int size, int iterations, int stepMillis) {
    this(directory, group, rank, size, iterations, stepMillis, LENGTH);
  }

  /** Trains to the end, from the newest checkpoint; a digest of the result. */
  String train() {
    long[] state = new long[length];
    try (Checkpointer checkpointer = Cairn.current().join(group, rank, size)) {
      checkpointer.protect(Region.of("state", state));
      Optional<RestoreReport> report = checkpointer.restore();
      long from = report.map(r -> r.id().iteration() + 1).orElse(0L);
      report(
          "start",
          ProcessHandle.current().pid(),
          checkpointer.epoch(),
          from,
          report.map(RestoreReport::level).orElse(Level.DEVICE));
      for (long i = from; i < iterations; i++) {
        step(state, rank, i);
        LockSupport.parkNanos(stepMillis * 1_000_000L);
        failOnRequest(i);
        CheckpointTicket ticket = checkpointer.checkpoint(i);
        tellWhenSealed(ticket, checkpointer.epoch());
        if (ticket.captured().join() instanceof Outcome.Fenced) {
          report("fenced", ProcessHandle.current().pid(), checkpointer.epoch(), i, Level.DEVICE);
          return "fenced";
        }
        report("step", ProcessHandle.current().pid(), checkpointer.epoch(), i, Level.DEVICE);
      }
    } catch (CancellationException e) {
      report("interrupted", ProcessHandle.current().pid(), 0, 0, Level.DEVICE);
      throw e;
    }
    return digest(state);
  }

  void tellWhenSealed(CheckpointTicket ticket, long epoch) {
    tellWhenSealed(ticket, epoch, Level.NODE, "sealed");
    tellWhenSealed(ticket, epoch, Level.PEER, "copied");
  }

  private void tellWhenSealed(CheckpointTicket ticket, long epoch, Level level, String what) {
    var unused =
        ticket
            .sealed(level)
            .thenAccept(
                outcome -> {
                  if (outcome instanceof Outcome.Sealed) {
                    long pid = ProcessHandle.current().pid();
                    report(what, pid, epoch, ticket.id().iteration(), level);
                  }
                });
  }

  /** The first attempt fails where the test says so. */
  private void failOnRequest(long iteration) {
    TaskContext task = TaskContext.get();
    if (task != null
        && task.attemptNumber() == 0
        && task.stageAttemptNumber() == 0
        && Files.exists(Path.of(directory, group + ".fail-at-" + iteration))) {
      throw new IllegalStateException("this attempt fails on request");
    }
  }

  static void step(long[] state, int rank, long iteration) {
    for (int i = 0; i < state.length; i++) {
      state[i] = state[i] * 6364136223846793005L + iteration + rank + i;
    }
  }

  /** The digest of a training that nothing disturbed. */
  static String undisturbed(int rank, int iterations) {
    long[] state = new long[LENGTH];
    for (long i = 0; i < iterations; i++) {
      step(state, rank, i);
    }
    return digest(state);
  }

  static String digest(long[] state) {
    return Integer.toHexString(Arrays.hashCode(state));
  }

  void report(String what, long pid, long epoch, long iteration, Level level) {
    String line =
        what + " " + rank + " " + pid + " " + epoch + " " + iteration + " " + level + "\n";
    try {
      Files.writeString(
          Path.of(directory, group + ".events"),
          line,
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
