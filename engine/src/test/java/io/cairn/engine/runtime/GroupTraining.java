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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * One rank of a group, in a process of its own. It prints "from", the iteration that it resumed
 * from and its epoch; each level and iteration that is sealed; and at its end whether its state is
 * that of an undisturbed training.
 */
final class GroupTraining {
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private GroupTraining() {}

  /**
   * Trains; the arguments are the root, rank, size, address, number of iterations, and settings.
   */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    int rank = Integer.parseInt(arguments[1]);
    int size = Integer.parseInt(arguments[2]);
    long iterations = Long.parseLong(arguments[4]);
    String store = root.resolve("store").toString();
    Places here = new Places(root.resolve("machine-" + rank));
    List<String> settings = new ArrayList<>(List.of("coordinator", arguments[3], "store", store));
    settings.addAll(List.of(arguments).subList(5, arguments.length));
    try (CairnEngine cairn = here.open(settings.toArray(String[]::new));
        Checkpointer checkpointer = cairn.join("run", rank, size)) {
      cairn.observers().add(GroupTraining::report);
      Toy toy = Ranks.toy(rank);
      toy.protectBy(checkpointer);
      long end = train(checkpointer, toy, rank, iterations);
      print("exact " + toy.equals(Ranks.undisturbed(rank, end)));
    }
  }

  /** Trains to the end, if that is not behind it; the next iteration. */
  private static long train(Checkpointer checkpointer, Toy toy, int rank, long iterations)
      throws ExecutionException, InterruptedException {
    long next = resume(checkpointer, toy, rank);
    while (next < iterations) {
      toy.step(next);
      Outcome outcome = checkpointer.checkpoint(next).sealed(Level.DEVICE).get();
      next = outcome instanceof Outcome.Fenced ? resume(checkpointer, toy, rank) : next + 1;
    }
    return next;
  }

  private static long resume(Checkpointer checkpointer, Toy toy, int rank) {
    Optional<RestoreReport> report = checkpointer.restore();
    if (report.isEmpty()) {
      toy.startAfresh(rank);
    }
    long from = report.map(r -> r.id().iteration()).orElse(-1L);
    print("from " + from + " in " + checkpointer.epoch());
    return from + 1;
  }

  private static void report(CairnEvent event) {
    if (event instanceof CairnEvent.Settled settled
        && settled.outcome() instanceof Outcome.Sealed) {
      print(settled.level() + " " + settled.id().iteration());
    }
  }

  /** In one write, so that a kill cannot tear a line. */
  private static void print(String line) {
    try {
      OUT.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
