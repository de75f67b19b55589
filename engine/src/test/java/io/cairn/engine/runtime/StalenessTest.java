package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.model.Member;
import io.cairn.core.session.Checkpointer;
import io.cairn.engine.events.CairnEvent;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StalenessTest {
  @TempDir Path root;

  private List<String> alarms(List<Long> updatedAt, boolean restoreBeforeThree) throws Exception {
    List<String> alarms = new CopyOnWriteArrayList<>();
    try (Cairn cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join("run")) {
      cairn
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.Stale stale) {
                  alarms.add(stale.id().label());
                }
              });
      Toy toy = new Toy();
      toy.protectBy(checkpointer);
      for (long i = 0; i < 6; i++) {
        if (i == 3 && restoreBeforeThree) {
          checkpointer.restore();
        }
        toy.counter++;
        if (updatedAt.contains(i)) {
          toy.step(i);
        }
        checkpointer.checkpoint(i).captured().join();
      }
    }
    return alarms;
  }

  @Test
  void memoryThatNoUpdateReachesRaisesOneAlarm() throws Exception {
    assertThat(alarms(List.of(0L, 1L), false)).containsExactly("e1-i2");
  }

  @Test
  void memoryThatIsUpdatedRaisesNone() throws Exception {
    assertThat(alarms(List.of(0L, 1L, 2L, 3L, 4L, 5L), false)).isEmpty();
  }

  @Test
  void theFirstCheckpointAfterARestoreHasNoPredecessor() throws Exception {
    assertThat(alarms(List.of(0L, 1L, 2L, 4L, 5L), true)).isEmpty();
  }

  @Test
  void aRankThatNothingUsesRaisesOneAlarmAtItsEnd() throws Exception {
    List<CairnEvent> alarms = new CopyOnWriteArrayList<>();
    try (Cairn cairn = new Places(root).open()) {
      cairn
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.Unused) {
                  alarms.add(event);
                }
              });
      Toy toy = new Toy();
      Member unused;
      try (Checkpointer checkpointer = cairn.join("run")) {
        unused = checkpointer.member();
        toy.protectBy(checkpointer);
        checkpointer.restore();
      }
      assertThat(alarms).containsExactly(new CairnEvent.Unused(unused));

      try (Checkpointer checkpointer = cairn.join("run")) {
        toy.protectBy(checkpointer);
        checkpointer.checkpoint(0).captured().join();
      }
      try (Checkpointer checkpointer = cairn.join("run")) {
        toy.protectBy(checkpointer);
        assertThat(checkpointer.restore()).isPresent();
      }
      assertThat(alarms).hasSize(1);
    }
  }
}
