package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.CheckpointTicket;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A group whose last iteration was due at STORE, and did not get there. */
@Timeout(60)
class EndAtStoreTest {
  private static final long LAST = 4;

  @TempDir Path root;

  private final GatedStore[] stores = new GatedStore[2];

  private static String[] settings(String cacheSize) {
    return new String[] {"device.cacheSize", cacheSize, "node.every", "1", "store.every", "2"};
  }

  private GatedStore store() throws IOException {
    return new GatedStore(LocalStore.open(new Places(root).store(), Durability.PROCESS));
  }

  private Ranks ranks(String cacheOfRank1) throws IOException {
    return ranks(cacheOfRank1, store());
  }

  private Ranks ranks(String cacheOfRank1, GatedStore coordinators) throws IOException {
    return new Ranks(
        root,
        List.of(settings("96k"), settings(cacheOfRank1)),
        rank -> {
          stores[rank] = store();
          return stores[rank];
        },
        coordinators);
  }

  private static Stream<List<Integer>> failing() {
    return Stream.of(List.of(0), List.of(1), List.of(0, 1));
  }

  /** Rank 1 has no room at DEVICE, and captures once more. Files of the first write stay. */
  @ParameterizedTest
  @MethodSource("failing")
  void anEndReachesAStoreThatFailedBefore(List<Integer> failing) throws Exception {
    GatedStore.Gate silent =
        (operation, path) -> {
          if (!operation.equals("create") && !operation.equals("write")) {
            throw new IOException("STORE is silent");
          }
        };
    try (Ranks ranks = ranks("20k")) {
      List<CheckpointTicket> last =
          ranks.each(
              (rank, checkpointer) -> {
                Toy toy = Ranks.toy(rank);
                toy.protectBy(checkpointer);
                for (long i = 0; i < LAST; i++) {
                  assertThat(settled(toy.run(checkpointer, i, i + 1))).isNotNull();
                }
                if (failing.contains(rank)) {
                  stores[rank].gate(silent.forWrites());
                }
                Outcome due = settled(toy.run(checkpointer, LAST, LAST + 1));
                assertThat(due).isInstanceOf(Outcome.Failed.class);
                stores[rank].gate(GatedStore.Gate.OPEN);
                return checkpointer.end(LAST);
              });
      assertThat(last.get(1).sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
    assertEnded();
  }

  /** Fails the first writes of the last iteration. */
  private static GatedStore.Gate silentFor(int failing) {
    AtomicInteger writes = new AtomicInteger();
    return (operation, path) -> {
      if (path.contains("i0000000004/writer") && writes.incrementAndGet() <= failing) {
        throw new IOException("STORE is silent");
      }
    };
  }

  /** All ranks have it at DEVICE, so each try is an order of the coordinator. */
  @Test
  void anEndReachesAStoreThatIsSilentForAWhile() throws Exception {
    GatedStore.Gate silent = silentFor(4);
    try (Ranks ranks = ranks("96k")) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            stores[rank].gate(rank == 1 ? silent.forWrites() : GatedStore.Gate.OPEN);
            for (long i = 0; i <= LAST; i++) {
              assertThat(settled(toy.run(checkpointer, i, i + 1))).isNotNull();
            }
            return checkpointer.end(LAST);
          });
    }
    assertEnded();
  }

  /** Rank 1 could not capture it at first, so that the ticket of rank 0 is given up for good. */
  @Test
  void anEndThatOneRankReportsAgainReachesAStoreThatIsSilentForAWhile() throws Exception {
    GatedStore.Gate silent = silentFor(6);
    try (Ranks ranks = ranks("96k")) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            AtomicBoolean broken = new AtomicBoolean();
            checkpointer.protect(
                Region.of(
                    "broken",
                    () -> {
                      if (broken.get()) {
                        throw new IllegalStateException("broken once");
                      }
                      return new byte[1];
                    },
                    bytes -> {}));
            stores[rank].gate(rank == 0 ? silent.forWrites() : GatedStore.Gate.OPEN);
            for (long i = 0; i < LAST; i++) {
              assertThat(settled(toy.run(checkpointer, i, i + 1))).isNotNull();
            }
            toy.step(LAST);
            broken.set(rank == 1);
            if (rank == 1) {
              assertThatIllegalStateException().isThrownBy(() -> checkpointer.checkpoint(LAST));
            } else {
              assertThat(settled(checkpointer.checkpoint(LAST))).isInstanceOf(Outcome.Failed.class);
            }
            broken.set(false);
            return checkpointer.end(LAST);
          });
    }
    assertEnded();
  }

  /** All containers are there; the coordinator cannot publish the manifest, or not read it back. */
  @ParameterizedTest
  @ValueSource(strings = {"publish", "publish and delete", "open"})
  void anEndReachesAStoreThatTakesNoManifestForAWhile(String silent) throws Exception {
    AtomicInteger commits = new AtomicInteger();
    GatedStore coordinators = store();
    coordinators.gate(
        (operation, path) -> {
          if (path.contains("i0000000004/") && path.contains(StoreNames.MANIFEST)) {
            // a commit reads and deletes after it has tried to publish
            int tried = operation.equals("publish") ? commits.incrementAndGet() : commits.get();
            if (silent.contains(operation) && tried > 0 && tried <= 2) {
              throw new IOException("STORE is silent");
            }
          }
        });
    try (Ranks ranks = ranks("96k", coordinators)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            for (long i = 0; i < LAST; i++) {
              assertThat(settled(toy.run(checkpointer, i, i + 1))).isNotNull();
            }
            assertThat(settled(toy.run(checkpointer, LAST, LAST + 1)))
                .isInstanceOf(Outcome.Failed.class);
            return checkpointer.end(LAST);
          });
    }
    assertEnded();
  }

  /** Waits for all levels, so that no rank is ahead; the outcome at STORE. */
  private static Outcome settled(CheckpointTicket ticket) throws Exception {
    for (Level level : Level.values()) {
      assertThat(ticket.sealed(level).get()).isNotNull();
    }
    return ticket.sealed(Level.STORE).get();
  }

  /** STORE has the end of both ranks. */
  private void assertEnded() throws Exception {
    Path group = new Places(root).store().resolve("test/run");
    assertThat(group.resolve("e000001-i0000000004/MANIFEST")).exists();
    assertThat(group.resolve("epochs/000001-i0000000004.end")).exists();
  }
}
