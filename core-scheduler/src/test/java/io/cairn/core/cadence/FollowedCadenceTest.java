package io.cairn.core.cadence;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FollowedCadenceTest {
  private static final CadencePlan START = plan(0, 0, 1, 2, 4);

  private static CadencePlan plan(long version, long from, long device, long node, long store) {
    return new CadencePlan(
        version, from, Map.of(Level.DEVICE, device, Level.NODE, node, Level.STORE, store));
  }

  @Test
  void aPlanCountsFromWhereItBeginsHoweverEarlyItIsAdopted() {
    FollowedCadence cadence = new FollowedCadence(START);
    assertThat(cadence.plan(plan(1, 7, 2, 6, 12))).isTrue();
    cadence.decided(1, true);
    assertThat(cadence.reach(4).levels())
        .containsExactlyInAnyOrder(Level.DEVICE, Level.NODE, Level.STORE);
    assertThat(cadence.reach(6).levels()).containsExactlyInAnyOrder(Level.DEVICE, Level.NODE);
    assertThat(cadence.reach(7).levels())
        .containsExactlyInAnyOrder(Level.DEVICE, Level.NODE, Level.STORE);
    assertThat(cadence.reach(8).levels()).isEmpty();
  }

  @Test
  void aLateRankAlwaysGivesTheSameAnswer() {
    FollowedCadence cadence = new FollowedCadence(START);
    cadence.reach(7);
    assertThat(cadence.plan(plan(1, 7, 2, 6, 12))).isFalse();
    assertThat(cadence.plan(plan(1, 7, 2, 6, 12))).isFalse();
    assertThat(cadence.reach(8))
        .isEqualTo(new FollowedCadence.Due(Set.of(Level.DEVICE, Level.NODE, Level.STORE), false));
  }

  @Test
  void anOrderedIterationIsDueOnceAtTheOrderedLevels() {
    FollowedCadence cadence = new FollowedCadence(plan(0, 0, 5, 1000, 1000));
    cadence.reach(10);

    assertThat(cadence.order(13, Set.of(Level.NODE))).isTrue();
    assertThat(cadence.order(13, Set.of(Level.STORE))).isTrue();

    assertThat(cadence.reach(12).levels()).isEmpty();
    assertThat(cadence.reach(13).levels())
        .containsExactlyInAnyOrder(Level.DEVICE, Level.NODE, Level.STORE);
    assertThat(cadence.reach(14).levels()).isEmpty();
  }

  @Test
  void anOrderThatComesTooLateChangesNothing() {
    FollowedCadence cadence = new FollowedCadence(plan(0, 0, 1, 1000, 1000));
    cadence.reach(13);

    assertThat(cadence.order(13, Set.of(Level.NODE))).isFalse();

    assertThat(cadence.reach(14).levels()).containsExactly(Level.DEVICE);
  }

  @Test
  void aRankThatSkipsTheOrderedIterationTakesTheNext() {
    FollowedCadence cadence = new FollowedCadence(plan(0, 0, 1, 1000, 1000));
    cadence.order(13, Set.of(Level.NODE));

    assertThat(cadence.reach(20).levels()).containsExactlyInAnyOrder(Level.DEVICE, Level.NODE);
  }

  /** Two ranks never disagree on an iteration. */
  @Test
  void ranksNeverDiffer() {
    int adopted = 0;
    int withdrawn = 0;
    int inDoubt = 0;
    for (long seed = 0; seed < 300; seed++) {
      LossyGroup group = new LossyGroup(seed);
      for (int step = 0; step < 2_000; step++) {
        group.step();
      }
      adopted += group.adopted;
      withdrawn += group.withdrawn;
      inDoubt += group.inDoubt;
    }
    assertThat(List.of(adopted, withdrawn, inDoubt)).allMatch(count -> count > 100);
  }

  /** Ranks at paces of their own; questions and answers get lost, and are asked again. */
  private static final class LossyGroup {
    private final long seed;
    private final SplittableRandom random;
    private final List<FollowedCadence> ranks = new ArrayList<>();
    private final List<Long> at = new ArrayList<>();
    private final Map<Long, Set<Level>> due = new HashMap<>();

    /** The coordinator's verdict on its way to each rank, which arrives at some moment. */
    private final List<Runnable> mail = new ArrayList<>();

    private CadencePlan newest = START;
    private Optional<CadenceBallot> ballot = Optional.empty();
    private long versions;
    private int adopted;
    private int withdrawn;
    private int inDoubt;

    LossyGroup(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed).split();
      for (int rank = random.nextInt(1, 5); rank > 0; rank--) {
        ranks.add(new FollowedCadence(START));
        at.add(0L);
      }
    }

    void step() {
      train(random.nextInt(ranks.size()));
      if (!mail.isEmpty()) {
        if (random.nextInt(3) == 0) {
          mail.remove(random.nextInt(mail.size())).run();
        }
      } else if (ballot.isEmpty()) {
        propose();
      } else if (random.nextInt(4) == 0) {
        ask(ballot.orElseThrow(), random.nextInt(ranks.size()));
      }
    }

    private void train(int rank) {
      long iteration = at.get(rank);
      FollowedCadence.Due known = ranks.get(rank).reach(iteration);
      if (known.inDoubt()) {
        inDoubt++;
      } else {
        due.putIfAbsent(iteration, known.levels());
        assertThat(known.levels())
            .as("seed %d, iteration %d, rank %d", seed, iteration, rank)
            .isEqualTo(due.get(iteration));
      }
      at.set(rank, iteration + 1);
    }

    private void propose() {
      long node = random.nextLong(1, 4);
      long from = Math.max(newest.fromIteration() + 1, at.get(0) + random.nextLong(1, 40));
      CadencePlan next = plan(++versions, from, node, node * 2, node * 2 * random.nextLong(1, 4));
      Set<Integer> all = IntStream.range(0, ranks.size()).boxed().collect(Collectors.toSet());
      ballot = Optional.of(new CadenceBallot(next, all));
    }

    private void ask(CadenceBallot open, int rank) {
      boolean inTime = ranks.get(rank).plan(open.plan());
      if (random.nextInt(3) > 0) {
        open.answered(rank, open.plan().version(), inTime)
            .ifPresent(verdict -> decide(open.plan(), verdict));
      }
    }

    private void decide(CadencePlan plan, boolean verdict) {
      ballot = Optional.empty();
      newest = verdict ? plan : newest;
      adopted += verdict ? 1 : 0;
      withdrawn += verdict ? 0 : 1;
      ranks.forEach(rank -> mail.add(() -> rank.decided(plan.version(), verdict)));
    }
  }
}
