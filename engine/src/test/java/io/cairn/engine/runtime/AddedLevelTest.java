package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A level that main code does not know, between NODE and STORE: one writer and one line. */
@Timeout(30)
class AddedLevelTest {
  @TempDir Path root;
  private CheckpointStore partner;
  private PartnerWriter peer;

  @BeforeEach
  void open() throws IOException {
    partner = LocalStore.open(root.resolve("partner"), Durability.PROCESS);
    peer = new PartnerWriter(partner);
  }

  @AfterEach
  void close() throws IOException {
    partner.close();
  }

  /** STORE reads from PEER, and PEER from NODE. */
  private List<StepPlan> steps() {
    List<StepPlan> steps = new ArrayList<>(StepPlan.ALL.subList(0, 1));
    steps.add(new StepPlan(Level.PEER, Level.NODE, levels -> peer));
    steps.add(new StepPlan(Level.STORE, Level.PEER, StepPlan.ALL.get(1).writer()));
    return steps;
  }

  private CairnEngine cairn() throws IOException {
    CairnConfig config = withPeer(new Places(root).config());
    return CairnEngine.open(
        config, CheckpointStores.open(config.store()), Devices.open(config), steps());
  }

  private static CairnConfig withPeer(CairnConfig config) {
    CadencePlan plan =
        new CadencePlan(
            0, 0, Map.of(Level.DEVICE, 1L, Level.NODE, 2L, Level.PEER, 2L, Level.STORE, 4L));
    return new CairnConfig(
        config.job(),
        config.label(),
        config.resume(),
        config.accepted(),
        config.store(),
        config.storeHadoop(),
        config.storeThreads(),
        config.storeWriters(),
        config.staging(),
        config.nodeDirectory(),
        config.nodeExpiry(),
        config.nodeServe(),
        config.nodePatience(),
        config.device(),
        config.deviceDirectory(),
        config.cacheBytes(),
        config.chunkBytes(),
        config.codecs(),
        config.layers(),
        config.captureWait(),
        config.watchdog(),
        new CadencePolicy(plan, Optional.empty(), Map.of()),
        config.retention(),
        config.certifyEvery(),
        config.queueBytes(),
        config.storePatience(),
        config.storeAtStart(),
        config.olderIfUnreadable(),
        config.joinTimeout(),
        config.closeTimeout(),
        config.driverPort(),
        config.standbys(),
        config.sharing(),
        config.peer(),
        config.coordinator());
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static CheckpointTicket train(Checkpointer checkpointer, long iterations) {
    Toy toy = new Toy();
    toy.protectBy(checkpointer);
    return toy.run(checkpointer, 0, iterations);
  }

  @Test
  void checkpointsPassThroughTheLevel() throws Exception {
    try (CairnEngine cairn = cairn();
        Checkpointer checkpointer = cairn.join("run")) {
      CheckpointTicket ticket = train(checkpointer, 5);

      assertThat(ticket.sealed(Level.PEER).get()).isEqualTo(new Outcome.Sealed(Level.PEER));
      assertThat(ticket.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
      assertThat(peer.sources()).hasSize(3).allMatch(source -> source.contains("node"));
      assertThat(cairn.counters().count(Level.PEER, Outcome.Sealed.class)).isEqualTo(3);
    }
  }

  @Test
  void restoresReadFromTheLevel() throws Exception {
    try (CairnEngine cairn = cairn();
        Checkpointer checkpointer = cairn.join("run")) {
      train(checkpointer, 7).sealed(Level.PEER).get();
    }
    delete(new Places(root).nodeOfStore());

    try (CairnEngine next = cairn();
        Checkpointer again = next.join("run")) {
      Toy restored = new Toy();
      restored.protectBy(again);
      RestoreReport report = again.restore().orElseThrow();

      assertThat(report.level()).isEqualTo(Level.PEER);
      assertThat(report.id().iteration()).isEqualTo(6);
      assertThat(restored).isEqualTo(Toy.undisturbed(7));
    }
  }

  /** PEER fails at iteration 4, since a file has the name of its directory. */
  @Test
  void theNextLevelReadsPastOneThatFails() throws Exception {
    try (CairnEngine cairn = cairn();
        Checkpointer checkpointer = cairn.join("run")) {
      Path group = root.resolve("partner/test/run");
      Files.createDirectories(group);
      Files.createFile(group.resolve("e000001-i0000000004"));
      CheckpointTicket ticket = train(checkpointer, 5);

      assertThat(ticket.sealed(Level.PEER).get()).isInstanceOf(Outcome.Failed.class);
      assertThat(ticket.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }

  @Test
  void theLevelReadsFromDeviceIfNodeFails() throws Exception {
    try (CairnEngine cairn = cairn();
        Checkpointer checkpointer = cairn.join("run")) {
      Path group = new Places(root).nodeOfStore().resolve("test/run");
      Files.createDirectories(group);
      Files.createFile(group.resolve("e000001-i0000000002"));
      CheckpointTicket ticket = train(checkpointer, 3);

      assertThat(ticket.sealed(Level.NODE).get()).isInstanceOf(Outcome.Failed.class);
      assertThat(ticket.sealed(Level.PEER).get()).isEqualTo(new Outcome.Sealed(Level.PEER));
      assertThat(peer.sources().get(1)).contains("device");
    }
  }

  @Test
  void aLevelThatNoStepLeadsToFails() throws Exception {
    CairnConfig config = withPeer(new Places(root).config());
    try (CairnEngine cairn = CairnEngine.open(config);
        Checkpointer checkpointer = cairn.join("run")) {
      CheckpointTicket ticket = train(checkpointer, 1);

      assertThat(ticket.sealed(Level.PEER).get())
          .isEqualTo(new Outcome.Failed("no step leads to PEER"));
      assertThat(ticket.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }
}
