package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.RestoreReport;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How often the ranks of a group ask STORE when all of them come back on other machines. */
@Timeout(60)
class RestartCallsTest {
  private static final int SIZE = 3;

  @TempDir Path root;

  /** The calls of all ranks, coordinator excluded, in a restart from STORE. */
  private Queue<String> restart(int writers) throws Exception {
    try (Ranks ranks = new Ranks(root, SIZE, "store.writers", String.valueOf(writers))) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            return toy.run(checkpointer, 0, 12);
          });
    }
    for (int rank = 0; rank < SIZE; rank++) {
      Files.move(root.resolve("machine-" + rank), root.resolve("lost-" + rank));
    }
    Queue<String> calls = new ConcurrentLinkedQueue<>();
    try (Ranks ranks =
        new Ranks(
            root,
            SIZE,
            rank -> {
              GatedStore store =
                  new GatedStore(LocalStore.open(new Places(root).store(), Durability.PROCESS));
              store.gate((operation, path) -> calls.add(operation + " " + path));
              return store;
            })) {
      List<Level> levels =
          ranks.each(
              (rank, checkpointer) -> {
                Ranks.toy(rank).protectBy(checkpointer);
                RestoreReport report = checkpointer.restore().orElseThrow();
                return report.level();
              });
      assertThat(levels).containsOnly(Level.STORE);
    }
    return calls;
  }

  @Test
  void aRankAsksTheStoreTwice() throws Exception {
    Map<String, Integer> perRank = new TreeMap<>();

    restart(1).forEach(call -> perRank.merge(call.replaceAll("r[0-9]{5}", "rN"), 1, Integer::sum));

    assertThat(perRank)
        .as("%d ranks; one call in a process's life, two in each restore", SIZE)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "open cairn-store-id", SIZE,
                "open test/run/birth", SIZE,
                "open test/run/e000001-i0000000011/writer-rN.chunks", SIZE));
  }

  @Test
  void eachPartOfARankCostsOneCall() throws Exception {
    Map<String, Integer> perContainer = new TreeMap<>();

    restart(2).stream()
        .filter(call -> call.endsWith(".chunks"))
        .map(call -> call.replaceAll(".*/writer-r[0-9]{5}", ""))
        .forEach(part -> perContainer.merge(part, 1, Integer::sum));

    assertThat(perContainer)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("-part0of2.chunks", SIZE, "-part1of2.chunks", SIZE));
  }
}
