package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Region;
import io.cairn.engine.config.CairnConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of threads on {@code docs/OPERATIONS.md} does not depend on that of ranks. */
class ThreadsOfRanksTest {
  @TempDir Path directory;

  /** Of all ranks: it changes, and nothing restores it. */
  private final long[] state = new long[1_000];

  /** Those of other tests in this process. */
  private final Set<Thread> others = Thread.getAllStackTraces().keySet();

  @Test
  void levelsHaveThreeThreadsForOneRankAsForThirtyTwo() throws Exception {
    Map<String, String> settings =
        Map.of(
            "job", "threads",
            "store", directory.resolve("store").toString(),
            "node.dir", directory.resolve("node").toString(),
            "device.dir", directory.resolve("device").toString(),
            "device.cacheSize", "64m",
            "chunkSize", "64k",
            "node.every", "1",
            "store.every", "1");
    try (CairnEngine cairn = CairnEngine.open(CairnConfig.of(settings))) {
      assertThat(mostThreads(cairn, 1)).isEqualTo(3);
      assertThat(mostThreads(cairn, 32)).isEqualTo(3);
    }
  }

  /** Threads of NODE and STORE while so many ranks have checkpoints under way. */
  private long mostThreads(CairnEngine cairn, int ranks) {
    List<Checkpointer> all =
        IntStream.range(0, ranks).mapToObj(rank -> joined(cairn, ranks, rank)).toList();
    long most = 0;
    for (int iteration = 0; iteration < 3; iteration++) {
      state[0]++;
      List<CheckpointTicket> tickets = new ArrayList<>();
      for (Checkpointer each : all) {
        tickets.add(each.checkpoint(iteration));
      }
      for (CheckpointTicket ticket : tickets) {
        ticket.sealed(Level.STORE).toCompletableFuture().join();
        most = Math.max(most, threads());
      }
    }
    all.forEach(Checkpointer::close);
    return most;
  }

  private Checkpointer joined(CairnEngine cairn, int ranks, int rank) {
    Checkpointer checkpointer = cairn.join("group-" + ranks + "-" + rank);
    checkpointer.protect(Region.of("state", state));
    checkpointer.restore();
    return checkpointer;
  }

  private long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !others.contains(thread))
        .map(Thread::getName)
        .filter(name -> !name.equals("cairn-store-open")) // it opened STORE, and ends
        .filter(name -> name.startsWith("cairn-node") || name.startsWith("cairn-store"))
        .count();
  }
}
