package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two owners, and a real staging server that is killed at seeded moments and started again. A
 * second server lives on. Everything that is reported as sealed at STORE is whole.
 */
@Timeout(300)
class StagingKillTest {
  private static final long SEED = 17;
  private static final int KILLS = 8;
  private static final int LONGEST_PAUSE_MILLIS = 60;
  private static final String SECRET = "a secret of the job";

  /** So slow that a checkpoint takes some 20 ms, and a kill meets one. */
  private static final int BYTES_PER_SECOND = 1_000_000;

  @TempDir private Path root = Path.of("");

  private final StagingBuffer staging = new StagingBuffer();
  private final List<MeetingPort> ports = new ArrayList<>();
  private final List<ChildProcess> servers = new ArrayList<>();
  private final List<CheckpointId> sealed = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    for (int i = 0; i < 2; i++) {
      ports.add(MeetingPort.free());
      servers.add(server(i));
    }
  }

  /** An owner has a node of its own, and asks a server again that another life found dead. */
  private final class Owner implements AutoCloseable {
    private final Toy toy = new Toy();
    private final CairnEngine cairn;
    private final Checkpointer rank;
    private final List<CheckpointTicket> tickets = new ArrayList<>();
    private long next;

    Owner(int number) throws IOException {
      cairn =
          new Places(root)
              .open(
                  "node.dir",
                  root.resolve("node-" + number).toString(),
                  "staging",
                  ports.get(0) + "," + ports.get(1),
                  "secret",
                  SECRET,
                  "store.every",
                  "2",
                  "keep",
                  "1000",
                  "queueSize",
                  "1g");
      rank = cairn.join("run-" + number);
      toy.protectBy(rank);
      next = rank.restore().map(report -> report.id().iteration() + 1).orElse(0L);
      assertThat(toy).as("seed %d, owner %d", SEED, number).isEqualTo(Toy.undisturbed(next));
    }

    void train(int iterations) {
      for (int i = 0; i < iterations; i++, next++) {
        toy.step(next);
        CheckpointTicket ticket = rank.checkpoint(next);
        ticket.captured().join();
        tickets.add(ticket);
      }
    }

    void awaitSeals(String when) {
      for (CheckpointTicket ticket : tickets) {
        Outcome outcome = ticket.sealed(Level.STORE).join();
        if (outcome instanceof Outcome.Sealed) {
          sealed.add(ticket.id());
        } else {
          assertThat(outcome).as("%s, %s", when, ticket.id()).isInstanceOf(Outcome.NotDue.class);
        }
      }
    }

    @Override
    public void close() {
      rank.close();
      cairn.close();
    }
  }

  private ChildProcess server(int number) throws IOException {
    ChildProcess server =
        Command.java(
                StagingMain.class,
                root.resolve("store"),
                ports.get(number).number(),
                SECRET,
                BYTES_PER_SECOND)
            .small(64)
            .withoutErrors()
            .start();
    server.await("serves");
    return server;
  }

  @AfterEach
  void end() {
    servers.forEach(ChildProcess::close);
  }

  @Test
  void whatIsReportedAsSealedIsWholeAndTheRestIsWrittenByOthers() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int life = 0; life < KILLS; life++) {
      String when = "seed " + SEED + ", life " + life;
      int victim = life % 2;
      try (Owner first = new Owner(0);
          Owner second = new Owner(1)) {
        first.train(10);
        second.train(10);
        int millis = random.nextInt(LONGEST_PAUSE_MILLIS);
        assertThat(servers.get(victim).waitFor(Duration.ofMillis(millis))).as(when).isFalse();
        servers.get(victim).kill();
        first.awaitSeals(when);
        second.awaitSeals(when);
      }
      servers.set(victim, server(victim));
    }

    assertThat(sealed).as("each that was due, at every other iteration").hasSize(10 * KILLS);
    int staged = 0;
    try (CheckpointStore store =
        CheckpointStores.openForReading(root.resolve("store").toString())) {
      for (CheckpointId id : sealed) {
        staged += requireWhole(store, id) ? 1 : 0;
      }
    }
    assertThat(staged).as("seed %d: of %d by servers", SEED, sealed.size()).isPositive();
  }

  /** Whether a server wrote it; fails unless every chunk verifies. */
  private boolean requireWhole(CheckpointStore store, CheckpointId id) throws Exception {
    GroupId group = id.group();
    RestorePlanner planner = new RestorePlanner(List.of(new StoreCopies(store, Level.STORE)));
    Verification verification = planner.verify(id, new Member(group, 0, 1), staging);
    assertThat(verification).as("seed %d, %s", SEED, id).isInstanceOf(VerifiedCopy.class);
    ((VerifiedCopy) verification).close();
    StoredCheckpoint stored = Inventory.find(store, id, 0).orElseThrow();
    ContainerSummary container = stored.containersOf(0).get(0);
    return container.file().contains("-s");
  }
}
