package io.cairn.flush.redundancy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class RedundancySetsTest {
  private record Job(long seed, Map<Integer, String> places, int data, int parities) {
    static Job of(RepetitionInfo repetition) {
      long seed = repetition.getCurrentRepetition();
      Random random = new Random(seed);
      int machines = 1 + random.nextInt(12);
      int ranks = 1 + random.nextInt(60);
      Map<Integer, String> places = new HashMap<>();
      for (int rank = 0; rank < ranks; rank++) {
        places.put(rank, "machine-" + random.nextInt(machines));
      }
      return new Job(seed, places, 1 + random.nextInt(6), 1 + random.nextInt(3));
    }

    List<RedundancySet> sets() {
      return RedundancySets.of(places, data, parities);
    }

    Set<String> domains() {
      return new HashSet<>(places.values());
    }

    List<String> domainsOf(RedundancySet set) {
      return set.ranks().stream().map(rank -> places.getOrDefault(rank, "?")).toList();
    }
  }

  @RepeatedTest(200)
  void everyRankIsInOneSet(RepetitionInfo repetition) {
    Job job = Job.of(repetition);

    List<Integer> ranks = job.sets().stream().flatMap(set -> set.ranks().stream()).toList();

    if (job.domains().size() > 1) {
      assertThat(ranks).as("%s", job).containsExactlyInAnyOrderElementsOf(job.places().keySet());
    } else {
      assertThat(ranks).as("%s", job).isEmpty();
    }
  }

  @RepeatedTest(200)
  void noTwoPiecesOfASetAreInOneDomain(RepetitionInfo repetition) {
    Job job = Job.of(repetition);

    for (RedundancySet set : job.sets()) {
      List<String> domains = new ArrayList<>(job.domainsOf(set));
      domains.addAll(set.holders());
      assertThat(domains).as("%s of %s", set, job).doesNotHaveDuplicates();
      assertThat(job.domains()).as("%s of %s", set, job).containsAll(set.holders());
    }
  }

  @RepeatedTest(200)
  void setsAreNoLargerThanAskedForAndHaveAllParitiesThatFit(RepetitionInfo repetition) {
    Job job = Job.of(repetition);
    int parities = Math.min(job.parities(), job.domains().size() - 1);

    for (RedundancySet set : job.sets()) {
      assertThat(set.ranks()).as("%s of %s", set, job).hasSizeBetween(1, job.data()).isSorted();
      assertThat(set.holders()).as("%s of %s", set, job).hasSize(parities);
    }
  }

  @RepeatedTest(100)
  void theOrderInWhichRanksAreFoundDoesNotMatter(RepetitionInfo repetition) {
    Job job = Job.of(repetition);
    List<Integer> ranks = new ArrayList<>(job.places().keySet());
    Collections.shuffle(ranks, new Random(job.seed()));
    Map<Integer, String> shuffled = new LinkedHashMap<>();
    ranks.forEach(rank -> shuffled.put(rank, job.places().getOrDefault(rank, "?")));

    assertThat(RedundancySets.of(shuffled, job.data(), job.parities())).isEqualTo(job.sets());
  }

  @RepeatedTest(100)
  void paritiesAreSpreadEvenlyOverMachinesWithAsManyRanks(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    int parities = 1 + random.nextInt(2);
    int data = 1 + random.nextInt(4);
    int machines = data + parities + random.nextInt(8);
    int each = 1 + random.nextInt(6);
    Map<Integer, String> places = new HashMap<>();
    IntStream.range(0, machines * each)
        .forEach(rank -> places.put(rank, "machine-" + rank % machines));

    List<RedundancySet> sets = RedundancySets.of(places, data, parities);

    Map<String, Integer> held = new TreeMap<>();
    sets.forEach(set -> set.holders().forEach(holder -> held.merge(holder, 1, Integer::sum)));
    int fewest = held.size() < machines ? 0 : Collections.min(held.values());
    assertThat(Collections.max(held.values()) - fewest)
        .as("seed %d: %s over %d machines", repetition.getCurrentRepetition(), held, machines)
        .isLessThanOrEqualTo(2);
  }

  @Test
  void twoMachinesKeepCopiesOfEachOther() {
    assertThat(RedundancySets.of(Map.of(0, "a", 1, "b"), 4, 2))
        .containsExactlyInAnyOrder(
            new RedundancySet(List.of(0), List.of("b")),
            new RedundancySet(List.of(1), List.of("a")));
  }

  @Test
  void aSetOfFourTakesFiveMachinesWithOneParity() {
    Map<Integer, String> places = Map.of(0, "a", 1, "b", 2, "c", 3, "d", 4, "e");

    List<RedundancySet> sets = RedundancySets.of(places, 4, 1);

    assertThat(sets)
        .containsExactly(
            new RedundancySet(List.of(0, 1, 2, 3), List.of("e")),
            new RedundancySet(List.of(4), List.of("b")));
  }

  @Test
  void withoutASecondMachineThereIsNoSet() {
    assertThat(RedundancySets.of(Map.of(0, "a", 1, "a"), 4, 1)).isEmpty();
  }
}
