package io.cairn.engine.runtime;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that trains over HDFS, from the newest checkpoint that it finds, until it is killed or
 * its standard input ends. It prints these lines:
 *
 * <ul>
 *   <li>"FROM" and the iteration that it restored, -1 for none
 *   <li>"STORE" and a checkpoint that is sealed there
 *   <li>"NOT", a checkpoint that is not, and the outcome
 *   <li>"AT" and the newest iteration that it has begun, in answer to each line of input
 * </ul>
 */
final class HdfsTraining {
  /** Checkpoints at STORE that are kept. */
  static final int KEEP = 6;

  /** Checkpoints on their way to STORE, while one more is captured. */
  private static final int ON_THEIR_WAY = 3;

  /** How long an iteration computes. */
  private static final long STEP_NANOS = 5_000_000;

  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private static volatile long begun = -1;

  private HdfsTraining() {}

  /** Settings for the directory of the first argument and the store of the second one. */
  static CairnConfig config(Path root, String store) {
    return new Places(root)
        .config(
            "store", store,
            "store.hadoop.dfs.replication", "2",
            "store.hadoop.dfs.blocksize", "1m",
            "chunkSize", "64k",
            "device.cacheSize", "12m",
            "node.every", "1",
            "store.every", "1",
            "keep", Integer.toString(KEEP));
  }

  /** Trains until it is killed; the arguments are those of {@link #config}. */
  public static void main(String[] arguments) throws IOException {
    answer();
    try (CairnEngine cairn = CairnEngine.open(config(Path.of(arguments[0]), arguments[1]));
        Checkpointer checkpointer = cairn.join("run")) {
      cairn.observers().add(HdfsTraining::report);
      StampedState state = new StampedState();
      state.protectBy(checkpointer);
      Optional<RestoreReport> report = checkpointer.restore();
      long from = report.map(r -> r.id().iteration()).orElse(-1L);
      if (from >= 0 && !state.equals(StampedState.of(from))) {
        throw new IllegalStateException("restored something else than iteration " + from);
      }
      say("FROM " + from);
      train(checkpointer, state, from + 1);
    }
  }

  private static void train(Checkpointer checkpointer, StampedState state, long first) {
    Deque<CheckpointTicket> onTheirWay = new ArrayDeque<>();
    for (long i = first; ; i++) {
      begun = i;
      state.stamp(i);
      LockSupport.parkNanos(STEP_NANOS);
      CheckpointTicket ticket = checkpointer.checkpoint(i);
      ticket.captured().join();
      onTheirWay.add(ticket);
      if (onTheirWay.size() > ON_THEIR_WAY) {
        onTheirWay.remove().sealed(Level.STORE).join();
      }
    }
  }

  private static void answer() {
    Thread answers = new Thread(HdfsTraining::answerUntilTheEnd, "answers");
    answers.setDaemon(true);
    answers.start();
  }

  private static void answerUntilTheEnd() {
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      while (input.readLine() != null) {
        say("AT " + begun);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void report(CairnEvent event) {
    if (event instanceof CairnEvent.Settled settled && settled.level() == Level.STORE) {
      String checkpoint = settled.id().directory();
      if (settled.outcome() instanceof Outcome.Sealed) {
        say("STORE " + checkpoint);
      } else {
        say("NOT " + checkpoint + " " + settled.outcome());
      }
    }
  }

  /** In one write, so that a kill cannot tear a line. */
  private static void say(String line) {
    try {
      OUT.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
