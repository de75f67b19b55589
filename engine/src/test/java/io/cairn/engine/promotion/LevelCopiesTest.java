package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.events.Repeats;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.CopySource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LevelCopiesTest {
  private static final GroupId QUIET = new GroupId("job", "a");
  private static final GroupId BUSY = new GroupId("job", "b");

  /** A level that only remembers whether it may count a checkpoint as sealed. */
  private static final class Asked implements LevelWriter {
    private final CheckpointId asked;
    private final List<Boolean> answers = new ArrayList<>();

    Asked(CheckpointId asked) {
      this.asked = asked;
    }

    @Override
    public void retain(
        CheckpointId newest, Predicate<CheckpointId> sealed, Set<CheckpointId> needed) {
      if (newest.group().equals(asked.group())) {
        answers.add(sealed.test(asked));
      }
    }

    @Override
    public CopySource copies(Optional<RankSurvey> atStore) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) {
      throw new UnsupportedOperationException();
    }
  }

  private static LevelCopies levelCopies(Stage stage, Asked level) {
    return new LevelCopies(
        new PromotionStep(Level.NODE, Level.DEVICE, stage, level), new Repeats(System::nanoTime));
  }

  @Test
  @Timeout(60)
  void aBusyGroupDoesNotMakeTheLevelForgetTheSealsOfAnother() {
    Asked level = new Asked(new CheckpointId(QUIET, 1, 10));
    Stage stage = Stage.start("level-copies-test", 1);
    LevelCopies copies = levelCopies(stage, level);

    copies.retain(new CheckpointId(QUIET, 1, 10), inUse -> Set.of());
    for (int iteration = 0; iteration < 5000; iteration++) {
      copies.retain(new CheckpointId(BUSY, 1, iteration), inUse -> Set.of());
    }
    CompletableFuture<Boolean> idle = new CompletableFuture<>();
    stage.offer(1, () -> idle.complete(true));
    idle.join();
    copies.retain(new CheckpointId(QUIET, 1, 20), inUse -> Set.of());
    stage.close(Duration.ofSeconds(30));

    assertThat(level.answers).containsExactly(true, true);
  }

  @Test
  void oneDeletionServesAllSealsUntilItBegins() {
    Queue<Runnable> queue = new ArrayDeque<>();
    Asked level = new Asked(new CheckpointId(QUIET, 1, 20));
    LevelCopies copies = levelCopies(Stage.on(queue::add, "level-copies-test", 1), level);
    copies.retain(new CheckpointId(QUIET, 1, 10), inUse -> Set.of());
    copies.retain(new CheckpointId(QUIET, 1, 20), inUse -> Set.of());

    run(queue);

    assertThat(level.answers).containsExactly(true);
  }

  @Test
  void aSealAfterADeletionBeganIsServedByAnother() {
    Queue<Runnable> queue = new ArrayDeque<>();
    Asked level = new Asked(new CheckpointId(QUIET, 1, 20));
    LevelCopies copies = levelCopies(Stage.on(queue::add, "level-copies-test", 1), level);
    copies.retain(new CheckpointId(QUIET, 1, 10), inUse -> Set.of());
    run(queue);
    copies.retain(new CheckpointId(QUIET, 1, 20), inUse -> Set.of());

    run(queue);

    assertThat(level.answers).containsExactly(false, true);
  }

  @Test
  void theNewestOfManySealsIsKnown() {
    Queue<Runnable> queue = new ArrayDeque<>();
    long last = LevelCopies.MAX_SEALED_KNOWN;
    Asked level = new Asked(new CheckpointId(QUIET, 1, last));
    LevelCopies copies = levelCopies(Stage.on(queue::add, "level-copies-test", 1), level);

    for (long iteration = 0; iteration <= last; iteration++) {
      copies.retain(new CheckpointId(QUIET, 1, iteration), inUse -> Set.of());
      run(queue);
    }

    assertThat(level.answers).endsWith(false, true);
  }

  private static void run(Queue<Runnable> queue) {
    while (!queue.isEmpty()) {
      queue.remove().run();
    }
  }

  @Test
  @Timeout(60)
  void groupsThatHaveNoRankHereAreForgotten() {
    Asked level = new Asked(new CheckpointId(QUIET, 1, 10));
    Stage stage = Stage.start("level-copies-test", 1);
    LevelCopies copies = levelCopies(stage, level);

    for (int i = 0; i < 5000; i++) {
      GroupId group = new GroupId("job", "trial-" + i);
      copies.retain(new CheckpointId(group, 1, 10), inUse -> Set.of());
      copies.forget(group);
    }
    stage.close(Duration.ofSeconds(30));

    assertThat(copies.groups()).isZero();
  }
}
