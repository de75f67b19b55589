package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.Level;
import io.cairn.core.session.CheckpointTicket;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.RestoreReport;
import io.cairn.engine.events.CairnEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PEER: every rank's partner keeps a copy, and machines are lost with all that they held. */
@Timeout(120)
class LostMachinesTest {
  private static final int MACHINES = 3;

  @TempDir Path root;
  private final ServedNodes nodes = new ServedNodes();
  private String codec = "none";

  @AfterEach
  void close() {
    nodes.close();
  }

  private Ranks ranks(String directory) throws IOException {
    Path at = Files.createDirectories(root.resolve(directory));
    return new Ranks(
        at,
        MACHINES,
        "peer.scheme",
        "partner",
        "peer.domain",
        "node",
        "node.codec",
        codec,
        "peer.every",
        "10",
        "store.every",
        "1000");
  }

  /**
   * Trains until STORE has iteration 0, PEER has 10 and NODE has 18, long after it would have
   * deleted 10 by itself. The files as they are then lie below {@code later}.
   */
  private void train() throws Exception {
    CountDownLatch sealed = new CountDownLatch(MACHINES);
    CountDownLatch copied = new CountDownLatch(1);
    try (Ranks ranks = nodes.join(ranks("earlier"), MACHINES)) {
      Ranks.Work<Boolean> work =
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            toy.run(checkpointer, 0, 1).sealed(Level.STORE).join();
            CheckpointTicket atPeer = toy.run(checkpointer, 1, 11);
            assertThat(atPeer.sealed(Level.PEER).join()).isEqualTo(new Outcome.Sealed(Level.PEER));
            for (long iteration = 11; iteration < 19; iteration++) {
              toy.run(checkpointer, iteration, iteration + 1).sealed(Level.NODE).join();
            }
            sealed.countDown();
            return copied.await(1, TimeUnit.MINUTES);
          };
      List<Future<Boolean>> running = new ArrayList<>();
      for (int rank = 0; rank < MACHINES; rank++) {
        running.add(ranks.start(rank, work));
      }
      assertThat(sealed.await(1, TimeUnit.MINUTES)).isTrue();
      for (int machine = 0; machine < MACHINES; machine++) {
        awaitRetention(ranks.at(machine));
      }

      copyToLater();

      copied.countDown();
      for (Future<Boolean> each : running) {
        assertThat(Ranks.result(each)).isTrue();
      }
    }
  }

  /** NODE keeps its two newest, and the two that PEER keeps; deletes run behind the seals. */
  private static void awaitRetention(Places machine) throws IOException {
    Set<String> kept =
        Set.of(
            "e000001-i0000000000",
            "e000001-i0000000010",
            "e000001-i0000000016",
            "e000001-i0000000018");
    Set<String> here;
    do {
      LockSupport.parkNanos(5_000_000);
      try (Stream<Path> entries = Files.list(machine.nodeOfStore().resolve("test/run"))) {
        here =
            entries
                .map(entry -> entry.getFileName().toString())
                .filter(name -> name.contains("-i"))
                .collect(Collectors.toSet());
      }
    } while (!here.equals(kept));
  }

  private void copyToLater() throws IOException {
    Path source = root.resolve("earlier");
    Path target = root.resolve("later");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(each -> !each.toString().contains("/device")).toList()) {
        Files.copy(file, target.resolve(source.relativize(file)));
      }
    }
  }

  private void lose(int machine) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve("later/machine-" + machine))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private List<RestoreReport> restore() throws Exception {
    try (Ranks ranks = nodes.join(ranks("later"), MACHINES)) {
      return ranks.each(LostMachinesTest::restore);
    }
  }

  private static RestoreReport restore(int rank, Checkpointer checkpointer) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, report.id().iteration() + 1));
    return report;
  }

  @Test
  void theLossOfAnyOneMachineLeavesTheNewestCheckpointAtPeer() throws Exception {
    train();
    lose(1);

    List<RestoreReport> reports = restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i10");
    assertThat(reports)
        .extracting(RestoreReport::level)
        .containsExactly(Level.NODE, Level.PEER, Level.NODE);
    assertThat(reports.get(1).source()).contains("PEER").contains("machine-2");
  }

  @Test
  void compressedCopiesAtPeerAreRestored() throws Exception {
    codec = "shuffle-zstd";
    train();
    lose(1);

    List<RestoreReport> reports = restore();

    assertThat(reports)
        .extracting(RestoreReport::level)
        .containsExactly(Level.NODE, Level.PEER, Level.NODE);
  }

  @Test
  void withoutALossPeerIsNotNeeded() throws Exception {
    train();

    List<RestoreReport> reports = restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i18");
    assertThat(reports).extracting(RestoreReport::level).containsOnly(Level.NODE);
  }

  /** Machine 2 keeps what machine 1 had. */
  @Test
  void theLossOfAMachineAndItsPartnerLeavesStore() throws Exception {
    train();
    lose(1);
    lose(2);

    List<RestoreReport> reports = restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i0");
    assertThat(reports.get(1).level()).isEqualTo(Level.STORE);
  }

  @Test
  void aDamagedCopyAtAPartnerIsNotRestored() throws Exception {
    train();
    lose(1);
    damage(root.resolve("later/machine-2/node"), "e000001-i0000000010/writer-r00001.chunks");

    List<RestoreReport> reports = restore();

    assertThat(reports).extracting(report -> report.id().label()).containsOnly("e1-i0");
  }

  private static void damage(Path below, String end) throws IOException {
    Path file;
    try (Stream<Path> files = Files.walk(below)) {
      file = files.filter(each -> each.endsWith(end)).findFirst().orElseThrow();
    }
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 3] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void withoutAnotherMachineTheCheckpointIsSkippedAtPeerWithTheReason() throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    try (Ranks ranks = ranks("alone");
        Checkpointer checkpointer = ranks.cairn(0).join("alone")) {
      ranks
          .cairn(0)
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.Settled settled && settled.level() == Level.PEER) {
                  outcomes.add(settled.outcome());
                }
              });
      Toy toy = new Toy();
      toy.protectBy(checkpointer);

      CheckpointTicket ticket = toy.run(checkpointer, 0, 1);

      assertThat(ticket.sealed(Level.PEER).get(1, TimeUnit.MINUTES))
          .isEqualTo(new Outcome.Skipped("this process knows no other nodes"));
      assertThat(ticket.sealed(Level.STORE).get(1, TimeUnit.MINUTES))
          .isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(outcomes).hasSize(1);
    }
  }
}
