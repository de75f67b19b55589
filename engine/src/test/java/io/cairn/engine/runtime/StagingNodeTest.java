package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executors without ranks, at hosts that the setting names, write to STORE for those with ranks.
 */
@Timeout(120)
class StagingNodeTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String HOSTS = "stage-0,stage-1";
  private static final long SEED = 17;
  private static final int LIVES = 8;

  /** Far fewer reads than the checkpoints of one life take. */
  private static final int MOST_READS = 40;

  @TempDir private Path root = Path.of("");

  private final LoopbackPeers network = new LoopbackPeers(5);
  private final DeskHost desk =
      new DeskHost(
          new DeskTerms(1, 100, 1000),
          holders -> Topology.builder(holders.size()).linkAll(1e9).host(1).build(),
          new ParametricFlowScheduler(true, false));
  private final StagingBuffer buffer = new StagingBuffer();
  private final List<CheckpointId> sealed = new ArrayList<>();
  private PeerTransport deskTransport;

  @BeforeEach
  void serve() {
    deskTransport = network.open(desk.service((holder, message) -> {}), PATIENCE);
  }

  @AfterEach
  void close() {
    deskTransport.close();
    desk.close();
  }

  /** One process, with a node of its own at its host. */
  private final class Executor implements AutoCloseable {
    private final CairnEngine cairn;
    private final AtomicReference<PeerAddress> address = new AtomicReference<>();

    Executor(String host, UnaryOperator<PeerService> serving) throws IOException {
      cairn =
          new Places(root.resolve(host))
              .open(
                  "store",
                  root.resolve("store").toString(),
                  "staging",
                  HOSTS,
                  "store.every",
                  "2",
                  "keep",
                  "1000",
                  "queueSize",
                  "1g");
      cairn.joinNodes(
          "process of " + host,
          host + ":/node",
          deskTransport.address(),
          service -> {
            PeerTransport opened = network.open(host, serving.apply(service), PATIENCE);
            address.set(opened.address());
            return opened;
          });
    }

    Executor(String host) throws IOException {
      this(host, UnaryOperator.identity());
    }

    long stagedBytes() {
      return cairn.counters().snapshot().getOrDefault("staged.bytes", 0L);
    }

    @Override
    public void close() {
      cairn.close();
    }
  }

  /** A rank of an executor, which goes on where an earlier life of it ended. */
  private static final class Owner implements AutoCloseable {
    private final Toy toy = new Toy();
    private final Checkpointer rank;
    private final List<CheckpointTicket> tickets = new ArrayList<>();
    private long next;

    Owner(Executor executor, String group) {
      rank = executor.cairn.join(group);
      toy.protectBy(rank);
      next = rank.restore().map(report -> report.id().iteration() + 1).orElse(0L);
      assertThat(toy).as(group).isEqualTo(Toy.undisturbed(next));
    }

    void train(int iterations) {
      for (int i = 0; i < iterations; i++, next++) {
        toy.step(next);
        CheckpointTicket ticket = rank.checkpoint(next);
        ticket.captured().join();
        tickets.add(ticket);
      }
    }

    /** Those that are sealed at STORE; the others were not due there. */
    List<CheckpointId> sealed(String when) {
      List<CheckpointId> ids = new ArrayList<>();
      for (CheckpointTicket ticket : tickets) {
        Outcome outcome = ticket.sealed(Level.STORE).join();
        if (outcome instanceof Outcome.Sealed) {
          ids.add(ticket.id());
        } else {
          assertThat(outcome).as("%s, %s", when, ticket.id()).isInstanceOf(Outcome.NotDue.class);
        }
      }
      return ids;
    }

    @Override
    public void close() {
      rank.close();
    }
  }

  @Test
  void anExecutorWithoutRanksAtAGivenHostWrites() throws Exception {
    try (Executor first = new Executor("a-node");
        Executor staging = new Executor("stage-1");
        Executor training = new Executor("train");
        Owner owner = new Owner(training, "run")) {
      owner.train(4);
      sealed.addAll(owner.sealed("the only life"));

      assertThat(sealed).hasSize(2);
      assertThat(staging.stagedBytes()).isGreaterThan(2 * 5000 * Float.BYTES);
      assertThat(first.stagedBytes()).as("the first node by name, but at another host").isZero();
    }
    assertThat(wholeAndStaged()).isEqualTo(2);
  }

  @Test
  void withoutAnExecutorAtTheHostsAProcessWritesItself() throws Exception {
    try (Executor other = new Executor("a-node");
        Executor training = new Executor("train");
        Owner owner = new Owner(training, "run")) {
      owner.train(4);
      sealed.addAll(owner.sealed("the only life"));

      assertThat(sealed).hasSize(2);
      assertThat(other.stagedBytes()).isZero();
    }
    assertThat(wholeAndStaged()).isZero();
  }

  @Test
  void theLossOfAStagingNodeLosesNothingThatWasReported() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    Executor[] staging = {new Executor("stage-0"), new Executor("stage-1")};
    for (int life = 0; life < LIVES; life++) {
      String when = "seed " + SEED + ", life " + life;
      int victim = life % 2;
      PeerAddress killed = staging[victim].address.get();
      AtomicInteger left = new AtomicInteger(1 + random.nextInt(MOST_READS));
      UnaryOperator<PeerService> killing = service -> new KillingService(service, left, killed);
      try (Executor one = new Executor("train-0", killing);
          Executor two = new Executor("train-1", killing);
          Owner first = new Owner(one, "run-0");
          Owner second = new Owner(two, "run-1")) {
        first.train(10);
        second.train(10);
        sealed.addAll(first.sealed(when));
        sealed.addAll(second.sealed(when));
      }
      assertThat(left.get()).as("%s: reads until the kill", when).isNotPositive();
      staging[victim].close();
      staging[victim] = new Executor("stage-" + victim);
    }
    staging[0].close();
    staging[1].close();

    assertThat(sealed).as("each that was due, at every other iteration").hasSize(10 * LIVES);
    assertThat(wholeAndStaged()).as("seed %d: of %d", SEED, sealed.size()).isPositive();
  }

  /** Ends another process without a word at the read of a number. */
  private final class KillingService implements PeerService {
    private final PeerService service;
    private final AtomicInteger left;
    private final PeerAddress victim;

    KillingService(PeerService service, AtomicInteger left, PeerAddress victim) {
      this.service = service;
      this.left = left;
      this.victim = victim;
    }

    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      if (Wire.decode(question, PeerRequest.class) instanceof PeerRequest.ReadNode
          && left.decrementAndGet() == 0) {
        network.kill(victim);
      }
      return service.answer(question);
    }

    @Override
    public PeerSink receive(byte[] header, long bytes) throws IOException {
      return service.receive(header, bytes);
    }
  }

  /** How many of the sealed checkpoints servers wrote; fails unless every chunk verifies. */
  private int wholeAndStaged() throws Exception {
    int staged = 0;
    try (CheckpointStore store =
        CheckpointStores.openForReading(root.resolve("store").toString())) {
      for (CheckpointId id : sealed) {
        RestorePlanner planner = new RestorePlanner(List.of(new StoreCopies(store, Level.STORE)));
        Verification found = planner.verify(id, new Member(id.group(), 0, 1), buffer);
        assertThat(found).as("%s", id).isInstanceOf(VerifiedCopy.class);
        ((VerifiedCopy) found).close();
        String file = Inventory.find(store, id, 0).orElseThrow().containersOf(0).get(0).file();
        staged += file.contains("-s") ? 1 : 0;
      }
    }
    return staged;
  }
}
