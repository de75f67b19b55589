package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StepIndexTest {
  private static final int STEPS = 3000;

  private final StepIndex index = new StepIndex();

  @BeforeEach
  void addStates() {
    for (int step = 0; step < STEPS; step++) {
      State state = new State();
      state.step = step;
      index.add(state);
    }
  }

  @Test
  void looksNoFurtherThanItMust() {
    List<Long> seen = new ArrayList<>();
    State found = index.first(2000, state -> seen.add(state.step) && state.step % 7 == 0);
    assertThat(found).isSameAs(index.find(2002));
    assertThat(seen).containsExactly(2000L, 2001L, 2002L);
  }

  @Test
  void goesOnBeforeTheStepWhereNoneFollows() {
    assertThat(index.first(2000, state -> state.step < 10)).isSameAs(index.find(0));
    assertThat(index.first(9000, state -> state.step == 5)).isSameAs(index.find(5));
    assertThat(index.first(2000, state -> false)).isNull();
  }
}
