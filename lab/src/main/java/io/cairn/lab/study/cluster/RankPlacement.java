package io.cairn.lab.study.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Chooses the processes of an attempt's ranks. */
@FunctionalInterface
interface RankPlacement {
  /** Each rank runs in any process, also several in one. */
  RankPlacement ANYWHERE =
      (living, size, random) -> {
        List<ExecutorProcess> places = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
          places.add(living.get(random.nextInt(living.size())));
        }
        return places;
      };

  /** Each rank has a process of its own, and no order says which. */
  RankPlacement ONE_EACH =
      (living, size, random) -> {
        List<ExecutorProcess> left = new ArrayList<>(living);
        List<ExecutorProcess> places = new ArrayList<>();
        while (places.size() < size && living.size() >= size) {
          places.add(left.remove(random.nextInt(left.size())));
        }
        return places;
      };

  /**
   * The process of each rank.
   *
   * @param living the processes there are, at least one
   * @param size the number of ranks
   * @return as many processes, or none if the attempt has to wait for more of them
   */
  List<ExecutorProcess> of(List<ExecutorProcess> living, int size, SplittableRandom random);
}
