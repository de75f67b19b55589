package io.cairn.engine.sharing.holders;

import io.cairn.Level;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** The test's end of a holder's process. One thread. */
final class Holder implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);
  private static final long POLL_NANOS = 50_000_000;

  private final ChildProcess process;
  private final String id;

  private Holder(ChildProcess process) throws IOException {
    this.process = process;
    this.id = process.await("ready ");
  }

  static Holder start(Map<String, String> settings) throws IOException {
    List<String> words =
        new TreeMap<>(settings)
            .entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
    return new Holder(
        Command.java(HolderProcess.class, words.toArray()).small(64).withErrorsInOutput().start());
  }

  /** As its peers know it. */
  String id() {
    return id;
  }

  ChildProcess process() {
    return process;
  }

  private String ask(String command) throws IOException {
    process.send(command);
    return process.await(command.split(" ", 2)[0] + " ");
  }

  /** Takes steps; how their checkpoints ended at DEVICE, with commas. */
  String train(int steps) throws IOException {
    return train(steps, Level.DEVICE);
  }

  /** Takes steps; how their checkpoints ended at a level, with commas. */
  String train(int steps, Level level) throws IOException {
    return ask("train " + steps + " " + level);
  }

  /** Takes a step, and stands still in the middle of the nth copy to a peer. */
  void trainToTheMiddleOfWrite(int copies) throws IOException {
    ask("hold " + copies);
    process.send("train 1 DEVICE");
    process.await("midwrite ");
  }

  /** Stands still, as a lender, in the middle of the next push that it receives. */
  void holdNextPush() throws IOException {
    ask("holdpush");
  }

  /** Waits until it stands still so. */
  void awaitPush() throws IOException {
    process.await("midpush ");
  }

  /** Begins a step. */
  void beginTraining() throws IOException {
    process.send("train 1 DEVICE");
  }

  /** Waits for the end of that step; how its checkpoint ended at DEVICE. */
  String endTraining() throws IOException {
    return process.await("train ");
  }

  /** Continues its copy, and waits for the checkpoint's outcome at DEVICE. */
  String finishWrite() throws IOException {
    process.send("go");
    return process.await("train ");
  }

  /** After a bad step: iteration, level, and the bytes of chunks read from STORE; or none. */
  String restore() throws IOException {
    return ask("restore");
  }

  /** Has it read every byte that it has at DEVICE; the number of checkpoints. */
  int verify() throws IOException {
    return Integer.parseInt(ask("verify"));
  }

  HolderStatus status() throws IOException {
    return HolderStatus.of(ask("status"));
  }

  /** Waits for a state to come. */
  HolderStatus await(String what, Predicate<HolderStatus> wanted) throws IOException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    HolderStatus status = status();
    while (!wanted.test(status)) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain until " + what + ": " + status);
      }
      LockSupport.parkNanos(POLL_NANOS);
      status = status();
    }
    return status;
  }

  @Override
  public void close() {
    process.close();
  }
}
