package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Regions that accept an error, on their way through the levels and back. */
@Timeout(60)
class LossyRegionsTest {
  private static final String[] EVERY = {"node.every", "1", "store.every", "1"};
  private static final String[] LAYERS = {"node.maxLayers", "3", "store.maxLayers", "3"};
  private static final String[] LOSS = {"region.loss", "weights=0.01,moments=0.1%"};
  private static final long LAST = 3;

  @TempDir Path root;

  private Places places(String node) {
    return new Places(root.resolve(node));
  }

  private CairnEngine open(String node, String[]... settings) throws IOException {
    String[] all =
        Stream.concat(
                Stream.of("store", root.resolve("store").toString()),
                Stream.concat(Stream.of(EVERY), Stream.of(settings).flatMap(Stream::of)))
            .toArray(String[]::new);
    return places(node).open(all);
  }

  private static void seal(CheckpointTicket ticket, Level level) {
    assertThat(ticket.sealed(level).join()).isEqualTo(new Outcome.Sealed(level));
  }

  private static void train(LossyState state, Checkpointer checkpointer) {
    for (long i = 1; i <= LAST; i++) {
      state.step(i);
      CheckpointTicket ticket = checkpointer.checkpoint(i);
      seal(ticket, Level.NODE);
      seal(ticket, Level.STORE);
    }
  }

  private void train(String[]... settings) throws IOException {
    try (CairnEngine cairn = open("rank", settings);
        Checkpointer checkpointer = cairn.join("run")) {
      train(new LossyState().protectBy(checkpointer), checkpointer);
    }
  }

  private LossyState restart(String node, Level level, String[]... settings) throws IOException {
    try (CairnEngine cairn = open(node, settings);
        Checkpointer checkpointer = cairn.join("run")) {
      LossyState state = new LossyState().protectBy(checkpointer);
      RestoreReport report = checkpointer.restore().orElseThrow();
      assertThat(report.level()).isEqualTo(level);
      assertThat(report.id().iteration()).isEqualTo(LAST);
      return state;
    }
  }

  @Test
  void areTheSameBytesWhateverLevelIsRestored() throws IOException {
    LossyState atDevice;
    try (CairnEngine cairn = open("rank");
        Checkpointer checkpointer = cairn.join("run")) {
      LossyState state = new LossyState().protectBy(checkpointer);
      train(state, checkpointer);
      assertThat(state).as("a checkpoint rounds no memory").isEqualTo(LossyState.at(LAST));
      assertThat(checkpointer.restore().orElseThrow().level()).isEqualTo(Level.DEVICE);
      atDevice = state;
    }
    atDevice.assertRestoredFrom(LossyState.at(LAST));

    assertThat(restart("rank", Level.NODE)).isEqualTo(atDevice);
    assertThat(restart("another", Level.STORE)).isEqualTo(atDevice);
  }

  @Test
  void areRestoredFromNodeWhereTheirChunksVerify() throws IOException {
    train(new String[] {"node.codec", "shuffle-zstd"});

    assertThat(new NodeFiles(places("rank").node()).containers(LAST, 0)).hasSize(1);
    restart("rank", Level.NODE).assertRestoredFrom(LossyState.at(LAST));
  }

  @Test
  void areRoundedWhereStoreReadsFromDevice() throws IOException {
    List<StepPlan> steps =
        List.of(
            StepPlan.ALL.get(0),
            new StepPlan(Level.STORE, Level.DEVICE, StepPlan.ALL.get(1).writer()));
    var config =
        places("rank")
            .config(
                "store", root.resolve("store").toString(), "node.every", "1", "store.every", "1");
    try (CairnEngine cairn =
            CairnEngine.open(
                config, CheckpointStores.open(config.store()), Devices.open(config), steps);
        Checkpointer checkpointer = cairn.join("run")) {
      LossyState state = new LossyState().protectBy(checkpointer);
      state.step(LAST);
      seal(checkpointer.checkpoint(LAST), Level.STORE);
    }

    restart("another", Level.STORE).assertRestoredFrom(LossyState.at(LAST));
  }

  /** The chunks go from the regions to NODE, since the cache holds two of sixteen. */
  @Test
  void areRoundedWithoutDevice() throws IOException {
    try (CairnEngine cairn = open("rank", new String[] {"device.cacheSize", "8k"});
        Checkpointer checkpointer = cairn.join("run")) {
      LossyState state = new LossyState().protectBy(checkpointer);
      Outcome atNode = new Outcome.NotDue(Level.NODE);
      for (long i = 0; i <= LAST; i++) {
        state.step(i);
        CheckpointTicket ticket = checkpointer.checkpoint(i);
        ticket.captured().join();
        atNode = ticket.sealed(Level.NODE).join();
      }
      assertThat(atNode).isEqualTo(new Outcome.Sealed(Level.NODE));
      assertThat(state).isEqualTo(LossyState.at(LAST));
    }

    restart("rank", Level.NODE).assertRestoredFrom(LossyState.at(LAST));
  }

  private Map<String, Long> trainWithNoise(double noise) throws IOException {
    try (CairnEngine cairn = open("rank", LAYERS);
        Checkpointer checkpointer = cairn.join("run")) {
      LossyState state = new LossyState().protectBy(checkpointer);
      state.step(LAST);
      for (long i = 0; i <= LAST; i++) {
        for (int k = 0; k < state.weights.length; k++) {
          // around multiples of a step, so that the noise is rounded away
          state.weights[k] = (float) (k + (i % 2 == 0 ? noise : -noise));
        }
        CheckpointTicket ticket = checkpointer.checkpoint(i);
        seal(ticket, Level.NODE);
        seal(ticket, Level.STORE);
      }
      return cairn.counters().snapshot();
    }
  }

  @Test
  void changesBelowTheBoundAreNotWrittenAgain() throws IOException {
    Map<String, Long> counters = trainWithNoise(0.001);

    long state = (LAST + 1) * (5_000L * 4 + 2_000L * 8 + 3_000L * 4);
    assertThat(counters).containsEntry("node.state.bytes", state);
    assertThat(counters.get("node.written.bytes")).isLessThan(state / 2);
    assertThat(counters.get("store.written.bytes")).isLessThan(state / 2);
    LossyState atNode = restart("rank", Level.NODE, LAYERS);
    assertThat(atNode.weights[77]).isEqualTo(77);
    assertThat(restart("another", Level.STORE, LAYERS)).isEqualTo(atNode);
  }

  @Test
  void changesAboveTheBoundAreWritten() throws IOException {
    trainWithNoise(0.02);

    LossyState atNode = restart("rank", Level.NODE, LAYERS);
    assertThat(Math.abs(atNode.weights[77] - (77 - 0.02))).isLessThanOrEqualTo(LossyState.WEIGHTS);
    assertThat(restart("another", Level.STORE, LAYERS)).isEqualTo(atNode);
  }

  @Test
  void areNamedBySettingsAlone() throws IOException {
    try (CairnEngine cairn = open("rank", LOSS);
        Checkpointer checkpointer = cairn.join("run")) {
      train(new LossyState().protectPlainBy(checkpointer), checkpointer);
    }

    restart("rank", Level.NODE).assertRestoredFrom(LossyState.at(LAST));
  }

  @Test
  void areRestoredByAProgramThatAcceptsNoError() throws IOException {
    train();

    try (CairnEngine cairn = open("rank");
        Checkpointer checkpointer = cairn.join("run")) {
      LossyState state = new LossyState().protectPlainBy(checkpointer);
      assertThat(checkpointer.restore()).isPresent();
      state.assertRestoredFrom(LossyState.at(LAST));

      state.step(LAST + 1);
      seal(checkpointer.checkpoint(LAST + 1), Level.NODE);
      state.step(LAST + 2);
      assertThat(checkpointer.restore()).isPresent();
      assertThat(state).isEqualTo(LossyState.at(LAST + 1));
    }
  }

  @Test
  void aNameThatNoRankProtectsIsReportedOnce() throws IOException {
    List<CairnEvent> events = new CopyOnWriteArrayList<>();
    try (CairnEngine cairn =
        open("rank", new String[] {"region.codec", "wieghts=zstd,exact=zstd"})) {
      cairn
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.UnknownRegions) {
                  events.add(event);
                }
              });
      for (String group : List.of("one", "two")) {
        try (Checkpointer checkpointer = cairn.join(group)) {
          LossyState state = new LossyState().protectBy(checkpointer);
          checkpointer.checkpoint(1).captured().join();
          checkpointer.checkpoint(2).captured().join();
          assertThat(state.weights).isNotEmpty();
        }
      }
    }

    assertThat(events)
        .singleElement()
        .isInstanceOfSatisfying(
            CairnEvent.UnknownRegions.class,
            event -> assertThat(event.names()).isEqualTo(Set.of("wieghts")));
  }
}
