package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks on new machines, whose STORE has lost all of their group but its birth. */
@Timeout(120)
class LostClaimsTest {
  @TempDir Path root;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ServedNodes nodes = new ServedNodes();

  @AfterEach
  void close() {
    threads.shutdownNow();
    nodes.close();
  }

  private Ranks machines(int count) throws IOException {
    return nodes.join(new Ranks(root, count, "keep", "100"), count);
  }

  /** Runs a group on as many machines, from the first of them on. */
  private <T> List<T> each(Ranks machines, int first, int size, Ranks.Work<T> work)
      throws Exception {
    List<Future<T>> running = new ArrayList<>();
    for (int number = 0; number < size; number++) {
      int rank = number;
      running.add(
          threads.submit(
              () -> {
                try (Checkpointer checkpointer =
                    machines.cairn(first + rank).join("run", rank, size)) {
                  return work.run(rank, checkpointer);
                }
              }));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> one : running) {
      results.add(Ranks.result(one));
    }
    return results;
  }

  /** A rollback begins the second epoch; its last checkpoint is at NODE and STORE. */
  private static Outcome train(int rank, Checkpointer checkpointer) throws IOException {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    toy.run(checkpointer, 0, 5).sealed(Level.STORE).join();
    long next = checkpointer.restore().orElseThrow().id().iteration() + 1;
    return toy.run(checkpointer, next, 9).sealed(Level.STORE).join();
  }

  private void loseAllButTheBirth() throws IOException {
    Path group = new Places(root).store().resolve("test/run");
    try (Stream<Path> files = Files.walk(group)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(group) && !file.equals(group.resolve("birth"))) {
          Files.delete(file);
        }
      }
    }
  }

  private static RestoreReport goOn(int rank, Checkpointer checkpointer) throws IOException {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    long next = report.id().iteration() + 1;
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, next));
    assertThat(toy.run(checkpointer, next, 13).sealed(Level.STORE).join())
        .isEqualTo(new Outcome.Sealed(Level.STORE));
    assertThat(checkpointer.epoch()).isEqualTo(3);
    return report;
  }

  private static RestoreReport restore(int rank, Checkpointer checkpointer) throws IOException {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, report.id().iteration() + 1));
    return report;
  }

  /** STORE would take nothing of an epoch before that of the checkpoint. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aGroupThatResumesFromALostEpochTakesALaterOne(int size) throws Exception {
    try (Ranks machines = machines(size)) {
      each(machines, 0, size, LostClaimsTest::train);
    }
    loseAllButTheBirth();

    try (Ranks machines = machines(2 * size)) {
      assertThat(each(machines, size, size, LostClaimsTest::goOn))
          .extracting(report -> report.id().label())
          .containsOnly("e2-i8");
      assertThat(each(machines, size, size, LostClaimsTest::restore))
          .extracting(report -> report.id().label())
          .containsOnly("e3-i12");
    }
  }
}
