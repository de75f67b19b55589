package io.cairn.engine.runtime;

import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A process that trains, from the newest checkpoint that it finds, until it is killed. On standard
 * output it prints "from" and the iteration, and then each level and checkpoint that is sealed.
 */
final class KilledTraining {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private KilledTraining() {}

  /** Trains until it is killed, below the directory of the first argument; then come settings. */
  public static void main(String[] arguments) throws IOException {
    try (CairnEngine cairn = new Places(Path.of(arguments[0])).open(settings(arguments));
        Checkpointer checkpointer = cairn.join("run")) {
      cairn.observers().add(KilledTraining::report);
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      Optional<RestoreReport> report = checkpointer.restore();
      long next = report.map(r -> r.id().iteration() + 1).orElse(0L);
      say("from " + (next - 1));
      if (!toy.equals(Toy.undisturbed(next))) {
        throw new IllegalStateException("restored something else than iteration " + (next - 1));
      }
      toy.run(checkpointer, next, Long.MAX_VALUE);
    }
  }

  private static String[] settings(String[] arguments) {
    return Arrays.copyOfRange(arguments, 1, arguments.length);
  }

  private static void report(CairnEvent event) {
    if (event instanceof CairnEvent.Settled settled) {
      Outcome outcome = settled.outcome();
      if (outcome instanceof Outcome.Sealed && settled.level() != Level.DEVICE) {
        say(settled.level() + " " + settled.id().directory());
      } else if (outcome instanceof Outcome.Failed) {
        say("FAILED " + settled.id().directory() + " " + outcome);
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
