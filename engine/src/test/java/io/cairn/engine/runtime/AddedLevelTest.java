package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.model.LevelSpec;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A level that main code does not know, between NODE and STORE: one line and one writer. It has the
 * name of PEER, since users know the names of all levels.
 */
@Timeout(30)
class AddedLevelTest {
  private static final LevelSpec ADDED =
      new LevelSpec(
          Level.PEER,
          Level.NODE,
          LevelSpec.Keeper.OTHER_MACHINES,
          false,
          OptionalLong.of(2),
          Optional.of(Duration.ofSeconds(40)),
          Duration.ofHours(3),
          "#123456");

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

  /** The list of levels with the made-up one in the place of PEER. */
  private static List<LevelSpec> levels() {
    return LevelSpec.ALL.stream()
        .map(spec -> spec.level() == ADDED.level() ? ADDED : spec)
        .toList();
  }

  /** STORE reads from PEER, and PEER from NODE. */
  private List<StepPlan> steps() {
    List<StepPlan> steps = new ArrayList<>(StepPlan.ALL.subList(0, 1));
    steps.add(new StepPlan(ADDED.level(), ADDED.readsFrom(), levels -> peer));
    steps.add(new StepPlan(Level.STORE, ADDED.level(), StepPlan.ALL.get(1).writer()));
    return steps;
  }

  private CairnEngine cairn() throws IOException {
    CairnConfig config = config();
    return CairnEngine.open(
        config, CheckpointStores.open(config.store()), Devices.open(config), steps());
  }

  private CairnConfig config(String... settings) {
    return new Places(root).config(levels(), settings);
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
  void itsLineGivesItsPeriodItsBoundAndItsFailures() {
    CadencePolicy policy = config("cadence", "adaptive", "node.every", "1").cadence();

    assertThat(policy.start()).isEqualTo(CadencePlan.every(1, 1, 4).with(Level.PEER, 2));
    assertThat(policy.withinSeconds())
        .isEqualTo(Map.of(Level.NODE, 60.0, Level.PEER, 40.0, Level.STORE, 600.0));
    AdaptiveSettings adaptive = policy.adaptive().orElseThrow();
    assertThat(adaptive.mtbfSeconds()).containsEntry(Level.PEER, 3 * 3600.0);
    assertThat(adaptive.levels()).contains(Level.PEER);
  }

  @Test
  void itsSettingsTakePrecedence() {
    CadencePolicy policy =
        config("cadence", "adaptive", "peer.every", "4", "peer.within", "9s", "peer.mtbf", "2h")
            .cadence();

    assertThat(policy.start().periods()).containsEntry(Level.PEER, 4L);
    assertThat(policy.withinSeconds()).containsEntry(Level.PEER, 9.0);
    assertThat(policy.adaptive().orElseThrow().mtbfSeconds()).containsEntry(Level.PEER, 7200.0);
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
    try (CairnEngine cairn = CairnEngine.open(config());
        Checkpointer checkpointer = cairn.join("run")) {
      CheckpointTicket ticket = train(checkpointer, 1);

      assertThat(ticket.sealed(Level.PEER).get())
          .isEqualTo(new Outcome.Failed("no step leads to PEER"));
      assertThat(ticket.sealed(Level.STORE).get()).isEqualTo(new Outcome.Sealed(Level.STORE));
    }
  }
}
