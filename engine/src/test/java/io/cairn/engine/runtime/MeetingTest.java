package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranks of several instances that meet at an address; one instance hosts the coordinator. */
@Timeout(120)
class MeetingTest {
  @TempDir private Path root = Path.of("");

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<CairnEngine> opened = new ArrayList<>();
  private MeetingPort port;

  @BeforeEach
  void choosePort() throws IOException {
    port = MeetingPort.free();
  }

  @AfterEach
  void end() {
    opened.forEach(CairnEngine::close);
    threads.shutdownNow();
  }

  private CairnEngine open(int rank, String closeTimeout, String... more) throws IOException {
    List<String> settings = new ArrayList<>(List.of(more));
    settings.addAll(List.of("store", root.resolve("store").toString()));
    settings.addAll(List.of("coordinator", port.toString(), "closeTimeout", closeTimeout));
    CairnEngine cairn =
        new Places(root.resolve("machine-" + rank)).open(settings.toArray(String[]::new));
    opened.add(cairn);
    return cairn;
  }

  /** Joins and trains to iteration 4, which is sealed at STORE. */
  private Checkpointer trained(CairnEngine cairn, int rank, Toy toy) throws Exception {
    Checkpointer checkpointer = cairn.join("run", rank, 2);
    toy.protectBy(checkpointer);
    assertThat(checkpointer.restore()).isEmpty();
    Outcome last = toy.run(checkpointer, 0, 5).sealed(Level.STORE).get();
    assertThat(last).isEqualTo(new Outcome.Sealed(Level.STORE));
    return checkpointer;
  }

  /** Resumes from iteration 4, and trains to the end. */
  private static String resumed(Checkpointer checkpointer, int rank, Toy toy) {
    RestoreReport report = checkpointer.restore().orElseThrow();
    toy.run(checkpointer, report.id().iteration() + 1, 9);
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, 9));
    return report.id().label() + " in " + checkpointer.epoch();
  }

  @Test
  void aHostThatClosesWaitsForNobodyAndTheNextOneTakesItsPlace() throws Exception {
    CairnEngine host = open(0, "1h");
    Future<Checkpointer> first = threads.submit(() -> trained(host, 0, Ranks.toy(0)));
    port.awaitHost();
    CairnEngine other = open(1, "20s");
    Toy toy = Ranks.toy(1);
    Checkpointer survivor = trained(other, 1, toy);

    first.get().close();
    host.close();

    toy.step(5);
    CheckpointTicket ticket = survivor.checkpoint(5);
    assertThat(ticket.captured().get().toString()).contains("Captured");
    CairnEngine again = open(0, "20s");
    Future<String> returned = threads.submit(() -> joinedAgain(again));
    assertThat(ticket.sealed(Level.DEVICE).get())
        .isInstanceOfSatisfying(
            Outcome.Fenced.class,
            fenced -> assertThat(fenced.reason()).contains("coordinator has ended"));
    String survived = resumed(survivor, 1, toy);
    survivor.close();
    assertThat(List.of(survived, returned.get())).containsOnly("e1-i4 in 2");
  }

  @Test
  void aRankWhoseHostIsGoneClosesWithoutWaitingForIt() throws Exception {
    CairnEngine host = open(0, "1h");
    Future<Checkpointer> first = threads.submit(() -> trained(host, 0, Ranks.toy(0)));
    port.awaitHost();
    CairnEngine other = open(1, "1h");
    Toy toy = Ranks.toy(1);
    Checkpointer survivor = trained(other, 1, toy);
    first.get().close();
    host.close();
    toy.step(5);
    CheckpointTicket ticket = survivor.checkpoint(5);

    survivor.close(); // the class's timeout is shorter than closeTimeout

    assertThat(ticket.sealed(Level.DEVICE).get()).isInstanceOf(Outcome.Failed.class);
  }

  private static String joinedAgain(CairnEngine cairn) {
    try (Checkpointer checkpointer = cairn.join("run", 0, 2)) {
      Toy toy = Ranks.toy(0);
      toy.protectBy(checkpointer);
      return resumed(checkpointer, 0, toy);
    }
  }

  @Test
  void ranksOfOneInstanceNeedNoOther() throws Exception {
    CairnEngine both = open(0, "20s");
    Toy[] toys = {Ranks.toy(0), Ranks.toy(1)};

    Future<Checkpointer> one = threads.submit(() -> trained(both, 0, toys[0]));
    Checkpointer two = trained(both, 1, toys[1]);

    Future<?> closing = threads.submit(two::close);
    one.get().close();
    closing.get();
    assertThat(toys[0]).isEqualTo(Ranks.undisturbed(0, 5));
    assertThat(toys[1]).isEqualTo(Ranks.undisturbed(1, 5));
  }

  /** Their copies at PEER are found by the desk alone, which nobody else hosts. */
  @Test
  void aProcessWhoseRanksMeetNobodyTakesTheDeskOver() throws Exception {
    CairnEngine host = open(0, "20s");
    CairnEngine other = open(1, "20s");

    host.close();

    port.awaitHost();
    assertThat(other.running()).isEmpty();
  }

  /** Such as by a name that its network does not know yet. */
  @Test
  void aProcessThatCouldNotServeItsNodeTriesAgainWhenItJoins() throws Exception {
    CairnEngine first;
    try (ServerSocket taken = new ServerSocket(65_535, 1, InetAddress.getLoopbackAddress())) {
      first =
          open(0, "20s", "sharing", "node", "executor.port", String.valueOf(taken.getLocalPort()));
    }
    CairnEngine other = open(1, "20s");
    Future<Checkpointer> one = threads.submit(() -> trained(first, 0, Ranks.toy(0)));

    Checkpointer two = trained(other, 1, Ranks.toy(1));

    new MeetingPort(65_535).awaitHost();
    Future<?> closing = threads.submit(two::close);
    one.get().close();
    closing.get();
  }
}
