package io.cairn.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.Ancestry.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class AncestryTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-0");

  @Test
  void aFreshStartDescendsFromNothing() {
    assertThat(Ancestry.NONE.contains(id(1, 0))).isFalse();
  }

  @Test
  void goingOnCountsUpToWhereTheLineLeft() {
    Ancestry line = Ancestry.NONE.continuedFrom(id(1, 20));
    assertThat(line.steps()).containsExactly(new Step(1, 20));
    assertThat(line.contains(id(1, 0))).isTrue();
    assertThat(line.contains(id(1, 20))).isTrue();
    assertThat(line.contains(id(1, 21))).isFalse();
    assertThat(line.contains(id(2, 20))).isFalse();
  }

  @Test
  void anEpochThatIsSkippedDoesNotCount() {
    Ancestry line = Ancestry.NONE.continuedFrom(id(1, 20)).continuedFrom(id(3, 40));
    assertThat(line.contains(id(2, 1))).isFalse();
    assertThat(line.contains(id(1, 20))).isTrue();
    assertThat(line.contains(id(3, 40))).isTrue();
  }

  @Test
  void stepsMustRise() {
    assertThatThrownBy(() -> new Ancestry(List.of(new Step(2, 1), new Step(1, 1))))
        .hasMessageContaining("must rise");
    assertThatThrownBy(() -> new Ancestry(List.of(new Step(1, 1), new Step(1, 2))))
        .hasMessageContaining("must rise");
  }

  @Test
  void keepsItsOwnCopyOfTheSteps() {
    List<Step> steps = new ArrayList<>(List.of(new Step(1, 1)));
    Ancestry line = new Ancestry(steps);
    steps.clear();
    assertThat(line.contains(id(1, 1))).isTrue();
  }

  /** The oracle keeps the ids themselves: those that were written on the way to the base. */
  @RepeatedTest(50)
  void equalsTheSetOfCheckpointsOnTheWay(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    Random random = new Random(seed);
    List<Line> lines = new ArrayList<>(List.of(new Line(Ancestry.NONE, Set.of(), List.of())));
    List<CheckpointId> all = new ArrayList<>();
    for (int epoch = 1; epoch <= 8; epoch++) {
      Line next = lines.get(random.nextInt(lines.size())).continueIn(epoch, random);
      lines.add(next);
      all.addAll(next.own());
      for (CheckpointId id : all) {
        assertThat(next.ancestry().contains(id))
            .as("seed %d, epoch %d, %s on %s", seed, epoch, id, next.ancestry())
            .isEqualTo(next.ancestors().contains(id));
      }
    }
  }

  private static CheckpointId id(long epoch, long iteration) {
    return new CheckpointId(GROUP, epoch, iteration);
  }

  private record Line(Ancestry ancestry, Set<CheckpointId> ancestors, List<CheckpointId> own) {
    Line continueIn(long epoch, Random random) {
      long first = 0;
      Ancestry from = Ancestry.NONE;
      Set<CheckpointId> before = new HashSet<>();
      if (!own.isEmpty()) {
        int left = random.nextInt(own.size());
        first = own.get(left).iteration() + 1;
        from = ancestry.continuedFrom(own.get(left));
        before.addAll(ancestors);
        before.addAll(own.subList(0, left + 1));
      }
      List<CheckpointId> written = new ArrayList<>();
      for (long i = first; i < first + 4; i++) {
        written.add(id(epoch, i));
      }
      return new Line(from, before, written);
    }
  }
}
