package io.cairn.spark.ranks;

import io.cairn.core.wire.StandbyReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which task of one stage trains which rank. Every task of the stage asks for a rank; those
 * that find none wait, and are the standbys. Neither clock, threads nor messages. Not thread-safe;
 * each call is linear in ranks and waiting tasks.
 */
final class StandbyBook {
  /*
   * Transitions of a rank
   *
   *   Open      => Trained:    a task asks, or one waits already; the rank gets its next term
   *   Open      => Trained:    the task before turns out to live, and nobody took the rank
   *   Trained   => Open:       the executor is lost, or Spark says that the task ended, or starts
   *                            its partition again
   *   Trained   => Done:       its task has the result, in the present term
   *   Open      => Done:       the task before has it, and nobody took the rank
   *   Done      => Delivered:  Spark has the task's result
   *   Done      => Open:       Spark lost the task's result, or starts its partition again
   *
   * Two live owners
   *
   * A task that lives may be taken for lost. So a term decides which task's result counts, and the
   * epochs of the rank's group decide whose checkpoints count. A later term never waits for the
   * earlier owner.
   *
   * Enough tasks
   *
   * The stage has at least as many partitions as ranks, and one partition delivers one rank. So
   * each rank that is not delivered has a partition whose task has not succeeded, which asks again.
   */

  /** A task that waits is to train a rank. */
  record Order(long task, StandbyReply.Train work) {}

  private final List<RankState> ranks = new ArrayList<>();
  private final List<Long> terms = new ArrayList<>();

  /** Tasks that wait, the first one first. */
  private final Map<Long, Seat> waiting = new LinkedHashMap<>();

  /** Tasks whose rank another task trains, until they ask again. */
  private final Set<Long> replaced = new HashSet<>();

  /** Tasks that Spark has ended; such a process may live, and ask. */
  private final Set<Long> ended = new HashSet<>();

  private long takeovers;

  /** A stage with ranks 0 to {@code size} − 1, none of which is trained. */
  StandbyBook(int size) {
    for (int rank = 0; rank < size; rank++) {
      ranks.add(RankState.Open.NEW);
      terms.add(0L);
    }
  }

  /** Tasks that wait for a rank. */
  int waiting() {
    return waiting.size();
  }

  /** How often a task was given a rank that another one had. */
  long takeovers() {
    return takeovers;
  }

  /** The number of ended tasks that are known; for tests. */
  int endedTasks() {
    return ended.size();
  }

  /** Whether every rank has a result. */
  boolean isDone() {
    return ranks.stream()
        .allMatch(rank -> rank instanceof RankState.Done || rank instanceof RankState.Delivered);
  }

  /**
   * A task asks for a rank. The same question has the same answer while the task trains. The rank
   * of its partition's number comes first, so that a stage without failures is as usual.
   *
   * @param ready whether the task waits if there is no rank
   */
  StandbyReply ask(Seat seat, boolean ready) {
    if (ended.contains(seat.task())) {
      return new StandbyReply.End();
    }
    waiting.remove(seat.task());
    replaced.remove(seat.task());
    endEarlier(seat);
    for (int rank = 0; rank < ranks.size(); rank++) {
      RankState state = ranks.get(rank);
      if (state instanceof RankState.Trained trained && trained.seat().task() == seat.task()) {
        return work(rank);
      } else if (state instanceof RankState.Done done && isEarlier(done.seat(), seat)) {
        ranks.set(rank, RankState.Open.NEW);
      }
    }
    if (isDone()) {
      return new StandbyReply.End();
    }
    Optional<Integer> open = open(seat.partition());
    if (open.isPresent()) {
      return give(open.get(), seat);
    }
    if (ready) {
      waiting.put(seat.task(), seat);
    }
    return new StandbyReply.Wait();
  }

  /**
   * Ends the earlier tasks of the partition. Spark starts a partition again when they have ended;
   * what it said of that may be lost.
   */
  private void endEarlier(Seat seat) {
    for (int rank = 0; rank < ranks.size(); rank++) {
      Optional<Seat> earlier = owner(ranks.get(rank)).filter(owner -> isEarlier(owner, seat));
      if (earlier.isPresent()) {
        ended.add(earlier.get().task());
        replaced.add(earlier.get().task()); // its process may live, and train on
        ranks.set(rank, RankState.Open.NEW);
      }
    }
  }

  /** The task that trains a rank, or gets it back if it lives. */
  private static Optional<Seat> owner(RankState state) {
    if (state instanceof RankState.Trained trained) {
      return Optional.of(trained.seat());
    }
    return state instanceof RankState.Open open ? open.before() : Optional.empty();
  }

  /** Whether Spark runs the partition again, so that it lacks the earlier task's result. */
  private static boolean isEarlier(Seat done, Seat asking) {
    return done.partition() == asking.partition() && done.task() < asking.task();
  }

  private Optional<Integer> open(int preferred) {
    if (preferred < ranks.size() && ranks.get(preferred) instanceof RankState.Open) {
      return Optional.of(preferred);
    }
    for (int rank = 0; rank < ranks.size(); rank++) {
      if (ranks.get(rank) instanceof RankState.Open) {
        return Optional.of(rank);
      }
    }
    return Optional.empty();
  }

  private StandbyReply.Train give(int rank, Seat seat) {
    if (ranks.get(rank) instanceof RankState.Open open) {
      open.before()
          .map(Seat::task)
          .filter(before -> before != seat.task())
          .ifPresent(replaced::add);
    }
    takeovers += terms.get(rank) > 0 ? 1 : 0;
    terms.set(rank, terms.get(rank) + 1);
    ranks.set(rank, new RankState.Trained(seat));
    return work(rank);
  }

  private StandbyReply.Train work(int rank) {
    return new StandbyReply.Train(rank, terms.get(rank));
  }

  /**
   * A task has a rank's result. The same report has the same answer.
   *
   * @return whether the task delivers it
   */
  boolean done(long task, int rank, long term) {
    if (rank < 0 || rank >= ranks.size() || terms.get(rank) != term || ended.contains(task)) {
      return false;
    }
    RankState state = ranks.get(rank);
    if (state instanceof RankState.Trained trained && trained.seat().task() == task) {
      ranks.set(rank, new RankState.Done(trained.seat()));
      return true;
    } else if (state instanceof RankState.Open open && isBefore(open, task)) {
      ranks.set(rank, new RankState.Done(open.before().orElseThrow()));
      return true;
    }
    return state instanceof RankState.Done done && done.seat().task() == task;
  }

  private static boolean isBefore(RankState.Open open, long task) {
    return open.before().filter(seat -> seat.task() == task).isPresent();
  }

  /** The connection of an executor has ended: its ranks are free for tasks that wait elsewhere. */
  List<Order> gone(String executor) {
    waiting.values().removeIf(seat -> seat.executor().equals(executor));
    List<Order> orders = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      if (ranks.get(rank) instanceof RankState.Trained trained
          && trained.seat().executor().equals(executor)) {
        reopen(rank, Optional.of(trained.seat()), trained.seat().machine()).ifPresent(orders::add);
      }
    }
    return orders;
  }

  /** Gives the rank to a task that waits: on the machine where its copies at NODE are, if any. */
  private Optional<Order> reopen(int rank, Optional<Seat> before, String machine) {
    ranks.set(rank, new RankState.Open(before));
    Optional<Seat> next =
        waiting.values().stream()
            .min(Comparator.comparing(seat -> !seat.machine().equals(machine)));
    next.ifPresent(seat -> waiting.remove(seat.task()));
    return next.map(seat -> new Order(seat.task(), give(rank, seat)));
  }

  /**
   * An executor lives. A rank that was taken from it and that nobody took is its task's again.
   *
   * @param tasks of the executor that train or wait
   */
  void alive(String executor, Collection<Long> tasks) {
    for (int rank = 0; rank < ranks.size(); rank++) {
      if (ranks.get(rank) instanceof RankState.Open open) {
        Optional<Seat> before =
            open.before()
                .filter(seat -> seat.executor().equals(executor) && tasks.contains(seat.task()));
        int again = rank;
        before.ifPresent(seat -> ranks.set(again, new RankState.Trained(seat)));
      }
    }
  }

  /** Those of the tasks whose rank another task trains. */
  List<Long> replaced(Collection<Long> tasks) {
    return tasks.stream().filter(replaced::contains).toList();
  }

  /**
   * Spark says that a task has ended, for the last time.
   *
   * @param succeeded whether Spark has its result
   */
  List<Order> ended(long task, boolean succeeded) {
    ended.add(task);
    waiting.remove(task);
    replaced.remove(task);
    List<Order> orders = new ArrayList<>();
    for (int rank = 0; rank < ranks.size(); rank++) {
      RankState state = ranks.get(rank);
      if (state instanceof RankState.Done done && done.seat().task() == task) {
        if (succeeded) {
          ranks.set(rank, new RankState.Delivered(done.seat()));
        } else {
          reopen(rank, Optional.empty(), done.seat().machine()).ifPresent(orders::add);
        }
      } else if (state instanceof RankState.Trained trained && trained.seat().task() == task) {
        replaced.add(task); // its process may live, and train on
        reopen(rank, Optional.empty(), trained.seat().machine()).ifPresent(orders::add);
      } else if (state instanceof RankState.Open open && isBefore(open, task)) {
        ranks.set(rank, RankState.Open.NEW);
      }
    }
    return orders;
  }
}
