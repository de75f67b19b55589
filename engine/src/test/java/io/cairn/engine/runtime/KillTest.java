package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.restore.Verification;
import io.cairn.flush.restore.VerifiedCopy;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LocalStore;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A training process is killed at seeded random moments and started again, many times. At NODE and
 * at STORE, the newest checkpoint that it reported sealed exists, or as many newer ones as are
 * kept. Every checkpoint with a manifest is complete, verifies, and equals the state of an
 * undisturbed training at that iteration.
 */
class KillTest {
  private static final long SEED = 41;
  private static final int MOST_REPORTS = 20;
  private static final int LONGEST_PAUSE_MILLIS = 40;
  private static final int KEEP = 2;
  private static final GroupId GROUP = new GroupId("test", "run");
  private static final Member MEMBER = new Member(GROUP, 0, 1);

  @TempDir private Path root = Path.of("");

  private final Map<Level, CheckpointId> newest = new EnumMap<>(Level.class);
  private final StagingBuffer staging = new StagingBuffer();
  private Toy undisturbed = new Toy();
  private long undisturbedTo = -1;

  @Test
  @Timeout(300)
  void fifteenKills() throws Exception {
    kill(15);
  }

  @Test
  @Tag("proof")
  void twoHundredKills() throws Exception {
    kill(200);
  }

  private void kill(int times) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int life = 0; life < times; life++) {
      String when = "seed " + SEED + ", life " + life;
      live(random.nextInt(MOST_REPORTS), random.nextInt(LONGEST_PAUSE_MILLIS), when);
      judge(Level.NODE, new Places(root).nodeOfStore(), when);
      judge(Level.STORE, new Places(root).store(), when);
    }
    assertThat(newest).as("lives were long enough").containsOnlyKeys(Level.NODE, Level.STORE);
    try (Stream<Path> arenas = Files.list(root.resolve("device/arenas"))) {
      assertThat(arenas.count()).as("arenas of the dead").isLessThanOrEqualTo(1);
    }
  }

  /**
   * Runs the training until it has reported a number of checkpoints, and kills it a moment later;
   * notes what it reported. A machine that is busy makes the life longer, and not emptier.
   */
  private void live(int reports, int millis, String when) throws IOException, InterruptedException {
    try (ChildProcess training =
        Command.java(KilledTraining.class, root, "store.writers", "3")
            .small(64)
            .withoutErrors()
            .start()) {
      String first = training.line(ChildProcess.PATIENCE).orElse("nothing");
      assertThat(first).as(when).startsWith("from ");
      if (newest.containsKey(Level.NODE)) {
        assertThat(Long.parseLong(first.substring(5)))
            .as("%s: resumes from no older checkpoint than was reported", when)
            .isGreaterThanOrEqualTo(newest.get(Level.NODE).iteration());
      }
      for (int i = 0; i < reports; i++) {
        note(training.line(ChildProcess.PATIENCE).orElseThrow(), when);
      }
      assertThat(training.waitFor(Duration.ofMillis(millis))).as(when).isFalse();
      training.kill();
      training.rest().forEach(line -> note(line, when));
    }
  }

  private void note(String line, String when) {
    List<String> words = List.of(line.split(" ", 2));
    assertThat(words.get(0)).as("%s: %s", when, line).isNotEqualTo("FAILED");
    newest.put(Level.valueOf(words.get(0)), CheckpointId.parse(GROUP, words.get(1)).orElseThrow());
  }

  private void judge(Level level, Path where, String when) throws Exception {
    try (CheckpointStore store = LocalStore.openForReading(where)) {
      Inventory.Listing listing = Inventory.list(store, GROUP);
      assertThat(listing.problems()).as(when).isEmpty();
      CheckpointId reported = newest.get(level);
      if (reported != null) {
        Set<CheckpointId> there = listing.checkpoints().keySet();
        assertThat(there.contains(reported) || newer(there, reported) >= KEEP)
            .as("%s: %s at %s, or %d newer ones, in %s", when, reported, level, KEEP, there)
            .isTrue();
      }
      RestorePlanner planner = new RestorePlanner(List.of(new StoreCopies(store, level)));
      for (StoredCheckpoint stored : listing.checkpoints().values()) {
        requireUndisturbed(planner.verify(stored.id(), MEMBER, staging), when + " at " + level);
      }
    }
  }

  /** A complete checkpoint may replace another one before the training reports it sealed. */
  private static long newer(Set<CheckpointId> there, CheckpointId reported) {
    return there.stream().filter(id -> id.compareTo(reported) > 0).count();
  }

  /** The state of the training is a pure function of the iteration. */
  private void requireUndisturbed(Verification verification, String when) throws Exception {
    assertThat(verification).as("%s: %s", when, verification).isInstanceOf(VerifiedCopy.class);
    try (VerifiedCopy copy = (VerifiedCopy) verification) {
      Toy expected = undisturbed(copy.id().iteration());
      ByteBuffer weights = ByteBuffer.allocate(5000 * Float.BYTES).order(ByteOrder.nativeOrder());
      for (int chunk = 0; chunk < copy.images().get(0).chunks(); chunk++) {
        copy.readers().get(0).read(0, chunk, weights);
      }
      float[] found = new float[5000];
      weights.flip().asFloatBuffer().get(found);
      assertThat(found).as("%s: %s", when, copy.id()).isEqualTo(expected.weights);
      ByteBuffer counter = ByteBuffer.allocate(Long.BYTES);
      copy.readers().get(0).read(1, 0, counter);
      assertThat(counter.getLong(0)).as("%s: %s", when, copy.id()).isEqualTo(expected.counter);
    }
  }

  /** Continues from the last one asked for, since they mostly rise. */
  private Toy undisturbed(long iteration) {
    if (iteration < undisturbedTo) {
      undisturbed = new Toy();
      undisturbedTo = -1;
    }
    while (undisturbedTo < iteration) {
      undisturbed.step(++undisturbedTo);
    }
    return undisturbed;
  }
}
