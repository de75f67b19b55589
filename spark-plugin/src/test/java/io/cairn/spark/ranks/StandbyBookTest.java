package io.cairn.spark.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.wire.StandbyReply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The book's answers where what Spark says of a task is lost. Task 1 runs on executor e1. */
class StandbyBookTest {
  private static final StandbyReply END = new StandbyReply.End();
  private static final StandbyReply WAIT = new StandbyReply.Wait();

  private static Seat seat(long task, int partition) {
    return new Seat(task, partition, "e" + task, "m");
  }

  private static StandbyReply train(int rank, long term) {
    return new StandbyReply.Train(rank, term);
  }

  @Test
  void aTaskThatSparkStartsAgainTakesTheRankOfTheEarlierOne() {
    StandbyBook book = new StandbyBook(1);
    assertThat(book.ask(seat(1, 0), true)).isEqualTo(train(0, 1));

    assertThat(book.ask(seat(2, 0), true)).isEqualTo(train(0, 2));

    assertThat(book.replaced(List.of(1L))).containsExactly(1L);
    assertThat(book.ask(seat(1, 0), true)).isEqualTo(END);
    assertThat(book.done(1, 0, 1)).isFalse();
    assertThat(book.ended(1, false)).isEmpty();
    assertThat(book.done(2, 0, 2)).isTrue();
  }

  @Test
  void aStandbyThatTookARankLeavesItToItsOwnPartition() {
    StandbyBook book = new StandbyBook(1);
    assertThat(book.ask(seat(1, 0), true)).isEqualTo(train(0, 1));
    assertThat(book.ask(seat(2, 1), true)).isEqualTo(WAIT);
    assertThat(book.gone("e1")).hasSize(1);

    assertThat(book.ask(seat(3, 1), true)).isEqualTo(train(0, 3));
  }

  /** Two ranks are free; the earlier task had the one that the later one does not take. */
  @Test
  void anEarlierTaskOfThePartitionGetsNoRankBack() {
    StandbyBook book = new StandbyBook(2);
    assertThat(book.ask(seat(1, 0), true)).isEqualTo(train(0, 1));
    assertThat(book.ask(seat(2, 1), true)).isEqualTo(train(1, 1));
    assertThat(book.ask(seat(3, 2), true)).isEqualTo(WAIT);
    assertThat(book.gone("e2")).hasSize(1); // task 3 trains rank 1
    book.gone("e1");
    book.gone("e3");

    assertThat(book.ask(seat(4, 2), true)).isEqualTo(train(0, 2));
    book.alive("e3", List.of(3L));

    assertThat(book.done(3, 1, 2)).as("Spark has ended task 3").isFalse();
    assertThat(book.ask(seat(5, 1), true)).isEqualTo(train(1, 3));
  }

  @Test
  void aRankOfAnotherPartitionStaysWithItsTask() {
    StandbyBook book = new StandbyBook(1);
    assertThat(book.ask(seat(1, 0), true)).isEqualTo(train(0, 1));

    assertThat(book.ask(seat(2, 1), true)).isEqualTo(WAIT);
    assertThat(book.replaced(List.of(1L))).isEmpty();
  }

  @Test
  void aTaskThatGetsItsOwnRankAgainIsNotReplaced() {
    StandbyBook book = new StandbyBook(1);
    assertThat(book.ask(seat(1, 0), true)).isEqualTo(train(0, 1));
    book.gone("e1");
    book.alive("e1", List.of());

    assertThat(book.ask(seat(1, 0), true)).isEqualTo(train(0, 2));

    assertThat(book.replaced(List.of(1L))).isEmpty();
  }

  /** Its report was on the way while its executor counted as lost. */
  @Test
  void theResultOfAnEarlierTermIsNotThatOfALaterOne() {
    StandbyBook book = new StandbyBook(1);
    assertThat(book.ask(seat(1, 0), true)).isEqualTo(train(0, 1));
    book.gone("e1");
    assertThat(book.ask(seat(1, 0), true)).isEqualTo(train(0, 2));

    assertThat(book.done(1, 0, 1)).isFalse();

    assertThat(book.isDone()).isFalse();
    assertThat(book.done(1, 0, 2)).isTrue();
  }
}
