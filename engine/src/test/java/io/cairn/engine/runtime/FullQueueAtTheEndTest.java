package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.Coordination;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A last checkpoint reaches STORE although the queue there is full when it arrives. */
@Timeout(60)
class FullQueueAtTheEndTest {
  private static final String[] EAGER = {"node.every", "1", "store.every", "1", "queueSize", "24k"};
  private static final String[] LONG_QUEUE = {"node.every", "1", "store.every", "1"};

  @TempDir Path root;

  private final CountDownLatch storeIsBusy = new CountDownLatch(1);
  private final CountDownLatch storeOpens = new CountDownLatch(1);

  /** A store whose first write waits. */
  private GatedStore store() throws IOException {
    return new GatedStore(CheckpointStores.open(new Places(root).store().toString()));
  }

  private void block(GatedStore store) {
    GatedStore.Gate waits =
        (operation, path) -> {
          storeIsBusy.countDown();
          await(storeOpens);
        };
    store.gate(waits.forWrites());
  }

  private CairnEngine open(GatedStore store, AtomicReference<GatedLevel> node) throws IOException {
    CairnConfig config = new Places(root).config(EAGER);
    StepPlan gated =
        new StepPlan(
            Level.NODE,
            Level.DEVICE,
            levels -> {
              node.set(GatedLevel.node(levels));
              return node.get();
            });
    return CairnEngine.open(
        config, store, Devices.open(config), List.of(gated, StepPlan.ALL.get(1)));
  }

  /** It is at NODE when the training ends, and STORE is busy with the one before it. */
  @Test
  void aLastCheckpointOnItsWayIsNotRejected() throws Exception {
    AtomicReference<GatedLevel> node = new AtomicReference<>();
    GatedStore store = store();
    CountDownLatch nodeOpens = new CountDownLatch(1);
    CountDownLatch firstLeftNode = new CountDownLatch(1);
    CountDownLatch leftNode = new CountDownLatch(1);
    try (CairnEngine cairn = open(store, node);
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      checkpointer.restore();
      block(store);
      node.get().retained(newest -> leave(newest, 0, firstLeftNode));
      toy.run(checkpointer, 0, 1);
      storeIsBusy.await();
      // NODE's queue counts the first one until its task has ended
      firstLeftNode.await();
      node.get().gate(() -> await(nodeOpens));
      CheckpointTicket last = toy.run(checkpointer, 1, 2);

      checkpointer.end(1);
      // old copies are deleted after the checkpoint went on to STORE
      node.get().retained(newest -> leave(newest, 1, leftNode));
      nodeOpens.countDown();
      leftNode.await();
      storeOpens.countDown();

      assertThat(last.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }

  private static void leave(CheckpointId newest, long iteration, CountDownLatch left) {
    if (newest.iteration() == iteration) {
      left.countDown();
    }
  }

  /** The queue of one rank is full; the other rank's data is at STORE already. */
  @Test
  void aGroupTriesItsLastCheckpointOnceMore() throws Exception {
    GatedStore full = store();
    CountDownLatch written = new CountDownLatch(1);
    List<String[]> settings = List.of(LONG_QUEUE, EAGER);
    try (Ranks ranks = new Ranks(root, settings, rank -> rank == 0 ? store() : full)) {
      ranks.cairn(0).coordinateCoupledGroups(new Watched(ranks.coordination(), written));

      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            checkpointer.restore();
            if (rank == 1) {
              block(full);
            }
            toy.run(checkpointer, 0, 1);
            storeIsBusy.await();
            if (rank == 1) {
              written.await();
            }
            CheckpointTicket rejected = toy.run(checkpointer, 1, 2);
            assertThat(rejected.sealed(Level.STORE).get()).isInstanceOf(Outcome.Skipped.class);
            storeOpens.countDown();
            return checkpointer.end(1);
          });
    }
    assertThat(new Places(root).store().resolve("test/run/e000001-i0000000001/MANIFEST")).exists();
  }

  /** Notices the report of a rank that its data of iteration 1 is at STORE. */
  private record Watched(Coordination below, CountDownLatch written) implements Coordination {
    @Override
    public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
      Link link = below.connect(member, incarnation, inbox);
      return new Link() {
        @Override
        public void send(MemberMessage message) {
          link.send(message);
          if (message instanceof MemberMessage.Held held
              && held.level() == Level.STORE
              && held.iteration() == 1) {
            written.countDown();
          }
        }

        @Override
        public void close() {
          link.close();
        }
      };
    }
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }
}
