package io.cairn.engine.runtime;

import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.Level;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that closes Cairn while its checkpoint is on the way to STORE, which waits for a file.
 * On standard output it prints "closing", and "ending" when it is told to end.
 */
final class EndingTraining {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);
  private static final long POLL_NANOS = 1_000_000;

  private EndingTraining() {}

  /** The file that the write to STORE waits for. */
  static Path release(Path root) {
    return root.resolve("release");
  }

  /** Trains one iteration below the directory of the first argument. */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    Thread training = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> say("ending")));
    CairnEngine cairn = new Places(root).open();
    cairn
        .observers()
        .add(
            event -> {
              if (event instanceof CairnEvent.Written written && written.level() == Level.STORE) {
                awaitClosing(training);
                say("closing");
                awaitFile(release(root));
              }
            });
    Checkpointer checkpointer = cairn.join("run");
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    toy.run(checkpointer, 0, 1);
    cairn.close();
  }

  /** Nothing before the close waits for a time. */
  private static void awaitClosing(Thread training) {
    while (training.getState() != Thread.State.TIMED_WAITING) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static void awaitFile(Path file) {
    while (Files.notExists(file)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static void say(String line) {
    try {
      OUT.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
