package io.cairn.engine.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.Goodput;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GoodputBookTest {
  private static final long SECOND = 1_000_000_000L;

  private long now;
  private final GoodputBook book = new GoodputBook(() -> now, () -> now / 1_000_000, 0);

  private static Member member(int number) {
    return new Member(new GroupId("job", "trial-" + number), 0, 1);
  }

  private Goodput train(Member member, int iterations) {
    Goodput goodput = book.arrive(member, false);
    goodput.joined(now, 1);
    goodput.restoring(now);
    goodput.resumed(now, 0, -1, Optional.empty());
    for (int iteration = 0; iteration < iterations; iteration++) {
      now += SECOND;
      goodput.computed(now, iteration, false);
    }
    book.keep(member, goodput);
    return goodput;
  }

  private long seconds(Cause cause) {
    return book.times().of(cause) / SECOND;
  }

  @Test
  void sumsUpWhatIsOverAndWhatIsNot() {
    train(member(1), 5);
    book.leave(member(1));
    train(member(2), 3);

    assertThat(seconds(Cause.TRAINING)).isEqualTo(8);
  }

  @Test
  void theNextIncarnationGoesOnAndAddsItsOwnTimeAlone() {
    train(member(1), 5);
    book.leave(member(1));
    now += 10 * SECOND;

    train(member(1), 7);

    assertThat(seconds(Cause.RESTART)).isEqualTo(10);
    assertThat(seconds(Cause.REDONE)).isEqualTo(5);
    assertThat(seconds(Cause.TRAINING)).isEqualTo(7);
    assertThat(book.newest(member(1)).orElseThrow().total().of(Cause.TRAINING))
        .isEqualTo(7 * SECOND);
  }

  @Test
  void aTrainingThatEndedIsForgottenAndItsTimeIsNot() {
    Goodput goodput = train(member(1), 5);
    goodput.ended();
    book.keep(member(1), goodput);

    book.leave(member(1));

    assertThat(book.newest(member(1))).isEmpty();
    assertThat(seconds(Cause.TRAINING)).isEqualTo(5);
  }

  @Test
  void theNumberOfRanksIsBounded() {
    for (int number = 0; number <= GoodputBook.MOST_RANKS; number++) {
      train(member(number), 2);
    }

    assertThat(book.newest(member(0))).isEmpty();
    assertThat(book.newest(member(1))).isPresent();
    assertThat(seconds(Cause.TRAINING)).isEqualTo(2 * (GoodputBook.MOST_RANKS + 1));
  }
}
