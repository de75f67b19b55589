package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank fails again while the others wait in {@code restore()}; they do not. */
@Timeout(120)
class SecondFailureTest {
  private static final int SIZE = 3;

  @TempDir Path root;

  private static String restored(int rank, Checkpointer checkpointer) {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    RestoreReport report = checkpointer.restore().orElseThrow();
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, report.id().iteration() + 1));
    toy.run(checkpointer, report.id().iteration() + 1, 9);
    assertThat(toy).isEqualTo(Ranks.undisturbed(rank, 9));
    return report.id().label() + " in " + checkpointer.epoch();
  }

  private void train() throws Exception {
    try (Ranks ranks = new Ranks(root, SIZE)) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = Ranks.toy(rank);
            toy.protectBy(checkpointer);
            return toy.run(checkpointer, 0, 5).sealed(Level.STORE).get();
          });
    }
  }

  /** Its process is killed before it calls {@code restore()}, and started again. */
  @Test
  void ranksThatRestoreGoOnWithARankThatJoinsAgain() throws Exception {
    train();
    try (Ranks ranks = new Ranks(root, SIZE)) {
      CountDownLatch joined = new CountDownLatch(1);
      CountDownLatch never = new CountDownLatch(1);
      List<Future<String>> healthy =
          List.of(
              ranks.start(0, SecondFailureTest::restored),
              ranks.start(1, SecondFailureTest::restored));
      Future<?> killed =
          ranks.start(
              2,
              (rank, checkpointer) -> {
                joined.countDown();
                never.await();
                return "";
              });
      joined.await();

      Future<String> again = ranks.start(2, SecondFailureTest::restored);

      assertThat(Ranks.result(again)).isEqualTo("e1-i4 in 3");
      for (Future<String> one : healthy) {
        assertThat(Ranks.result(one)).isEqualTo("e1-i4 in 3");
      }
      killed.cancel(true);
    }
  }

  /** Its process ends in order. */
  @Test
  void ranksThatRestoreGoOnWithARankThatLeftAndComesBack() throws Exception {
    train();
    try (Ranks ranks = new Ranks(root, SIZE)) {
      List<Future<String>> healthy =
          List.of(
              ranks.start(0, SecondFailureTest::restored),
              ranks.start(1, SecondFailureTest::restored));
      Ranks.result(ranks.start(2, (rank, checkpointer) -> ""));

      Future<String> again = ranks.start(2, SecondFailureTest::restored);

      assertThat(Ranks.result(again)).isEqualTo("e1-i4 in 3");
      for (Future<String> one : healthy) {
        assertThat(Ranks.result(one)).isEqualTo("e1-i4 in 3");
      }
    }
  }

  @Test
  void aRankThatNeverComesBackIsWaitedForUntilTheJoinTimeout() throws Exception {
    train();
    try (Ranks ranks = new Ranks(root, SIZE, "joinTimeout", "1s")) {
      Future<String> healthy = ranks.start(0, SecondFailureTest::restored);
      Future<String> other = ranks.start(1, SecondFailureTest::restored);
      Ranks.result(ranks.start(2, (rank, checkpointer) -> ""));

      for (Future<String> one : List.of(healthy, other)) {
        assertThatThrownBy(() -> Ranks.result(one))
            .isInstanceOf(RestoreException.class)
            .hasMessageContaining("missing: rank 2")
            .hasMessageContaining("joinTimeout");
      }
    }
  }
}
