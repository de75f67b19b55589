package io.cairn.engine.runtime;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.cadence.Learned;
import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.core.goodput.GoodputEntries;
import io.cairn.core.goodput.GoodputRecord;
import io.cairn.core.goodput.LearnedEntries;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LocalStore;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rank on its own is killed with its coordinator, again and again, and STORE takes no checkpoint
 * meanwhile. The next process knows what all of them had learned.
 */
@Timeout(120)
class GoodputKillTest {
  private static final GroupId GROUP = new GroupId("test", "run");
  private static final int LIVES = 3;

  @TempDir static Path root;

  private static long beganMillis;

  @BeforeAll
  static void train() throws Exception {
    beganMillis = System.currentTimeMillis();
    for (int life = 0; life < LIVES; life++) {
      live();
    }
  }

  /** Ends when NODE has sealed many more checkpoints than may wait for it: the last know more. */
  private static void live() throws IOException, InterruptedException {
    try (ChildProcess training =
        Command.java(
                KilledTraining.class,
                root,
                "cadence",
                "adaptive",
                "store.every",
                "1000000",
                "store.within", // else the first checkpoint of each life goes to STORE
                "off")
            .small(64)
            .withoutErrors()
            .start()) {
      for (int sealed = 0; sealed < 20; ) {
        String line = training.line(ChildProcess.PATIENCE).orElseThrow();
        sealed += line.startsWith("NODE") ? 1 : 0;
      }
      training.kill();
      training.rest();
    }
  }

  private Fingerprint newestAtNode() throws IOException {
    try (CheckpointStore node = LocalStore.openForReading(new Places(root).nodeOfStore())) {
      SortedMap<?, StoredCheckpoint> stored = Inventory.list(node, GROUP).checkpoints();
      return ContainerSummary.program(requireNonNull(stored.get(stored.lastKey())).containersOf(0));
    }
  }

  @Test
  void theFailuresOfAllLivesAreRemembered() throws IOException {
    Learned learned = LearnedEntries.in(newestAtNode()).orElseThrow();

    assertThat(learned.failures()).containsEntry(Level.NODE, LIVES - 1);
    assertThat(learned.seconds())
        .isPositive()
        .isLessThan((System.currentTimeMillis() - beganMillis) / 1000.0);
    assertThat(learned.costs()).containsKey(Level.DEVICE);
  }

  @Test
  void theTimeOfAllLivesIsAttributed() throws IOException {
    GoodputRecord record = GoodputEntries.in(newestAtNode()).orElseThrow();

    assertThat(record.epochs()).containsOnlyKeys(1L, 2L, 3L);
    for (CauseTimes times : record.epochs().values()) {
      assertThat(times.of(Cause.RESTART)).isPositive();
      assertThat(times.of(Cause.STALL)).isPositive();
    }
    assertThat(requireNonNull(record.epochs().get(1L)).of(Cause.TRAINING)).isPositive();
    assertThat(requireNonNull(record.epochs().get(1L)).of(Cause.DETECTION)).isZero();
    assertThat(record.total().of(Cause.UNKNOWN)).isZero();
    assertThat(record.total().total() / 1_000_000)
        .isLessThanOrEqualTo(record.asOfMillis() - beganMillis);
  }
}
