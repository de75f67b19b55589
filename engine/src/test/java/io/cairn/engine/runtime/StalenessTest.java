package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.RestoreException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StalenessTest {
  @TempDir Path root;

  private List<String> alarms(List<Long> updatedAt, boolean restoreBeforeThree) throws Exception {
    List<String> alarms = new CopyOnWriteArrayList<>();
    try (CairnEngine cairn = new Places(root).open();
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
  void memoryThatNoUpdateReachesRaisesAlarmsEverLessOften() throws Exception {
    assertThat(alarms(List.of(0L, 1L), false)).containsExactly("e1-i2", "e1-i3", "e1-i5");
  }

  /** Double buffering, as each stencil code does: the array of the past is captured. */
  private List<CairnEvent> swapping(boolean relocates) throws Exception {
    List<CairnEvent> alarms = new CopyOnWriteArrayList<>();
    try (CairnEngine cairn = new Places(root).open();
        Checkpointer checkpointer = cairn.join(relocates ? "relocated" : "swapped")) {
      cairn
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.Stale) {
                  alarms.add(event);
                }
              });
      double[] u = new double[4000];
      double[] v = new double[4000];
      checkpointer.protect(Region.of("u", u));
      checkpointer.restore();
      for (long i = 0; i < 6; i++) {
        for (int k = 0; k < u.length; k++) {
          v[k] = 0.5 * u[k] + i + 1;
        }
        double[] t = u;
        u = v;
        v = t;
        if (relocates) {
          checkpointer.relocate(Region.of("u", u));
        }
        checkpointer.checkpoint(i).captured().join();
      }
    }
    return alarms;
  }

  @Test
  void anArrayThatIsSwappedRaisesAlarmsUnlessItIsRelocated() throws Exception {
    assertThat(swapping(false)).isNotEmpty();
    assertThat(swapping(true)).isEmpty();
  }

  /** The exception says why, and the rank was of no use to anybody. */
  @Test
  void aRankWhoseRestoreIsRefusedIsNotReportedAsUnused() throws Exception {
    List<CairnEvent> alarms = new CopyOnWriteArrayList<>();
    try (CairnEngine cairn = new Places(root).open()) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        Toy toy = new Toy();
        toy.protectBy(checkpointer);
        toy.run(checkpointer, 0, 1);
      }
      cairn
          .observers()
          .add(
              event -> {
                if (event instanceof CairnEvent.Unused) {
                  alarms.add(event);
                }
              });
      try (Checkpointer checkpointer = cairn.join("run")) {
        checkpointer.protect(Region.of("others", new float[3]));
        assertThatThrownBy(checkpointer::restore).isInstanceOf(RestoreException.class);
      }
    }
    assertThat(alarms).isEmpty();
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
    try (CairnEngine cairn = new Places(root).open()) {
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
