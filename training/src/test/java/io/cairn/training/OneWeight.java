package io.cairn.training;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.RestoreReport;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A training of one weight, without a framework. Its example at a place pulls the weight towards a
 * number of that place. Checkpoints lie in memory. Not thread-safe.
 */
final class OneWeight implements Trainer<Long> {
  static final GroupId GROUP = new GroupId("job", "toy");

  /** The examples, by their places from 0 on. */
  static final int EXAMPLES = 40;

  /** Places whose loss is NaN. */
  final Set<Long> bad = new HashSet<>();

  final NavigableMap<Long, State> checkpoints = new TreeMap<>();
  private State state = new State(-1, -1, 1);
  private double rate = 0.5;
  private double loss;
  private long omittedFrom = -1;
  private long omitted;

  record State(long iteration, long place, double weight) {}

  /** Trains on the next example; false at the end of the data. */
  boolean step() {
    long place = state.place() + 1;
    if (place == omittedFrom) {
      place += omitted;
      omitted = 0;
    }
    if (place >= EXAMPLES) {
      return false;
    }
    double error = 1 + place % 3 / 10.0 - state.weight();
    loss = bad.contains(place) ? Double.NaN : error * error;
    state = new State(state.iteration() + 1, place, state.weight() + rate * error);
    return true;
  }

  /** Trains to the end under a watch, with a blow after some step, once. */
  void train(Watch<Long> watch, long blowAfter, double weight) {
    boolean struck = false;
    while (step()) {
      if (watch.findsTrouble()) {
        watch.recover();
        continue;
      }
      if (state.iteration() == blowAfter && !struck) {
        struck = true;
        state = new State(state.iteration(), state.place(), weight);
      }
      checkpoints.put(state.iteration(), state);
    }
  }

  State state() {
    return state;
  }

  double rate() {
    return rate;
  }

  @Override
  public long iteration() {
    return state.iteration();
  }

  @Override
  public double loss() {
    return loss;
  }

  @Override
  public Long place() {
    return state.place();
  }

  @Override
  public Optional<RestoreReport> rollBackBefore(long iteration) {
    var newest = checkpoints.lowerEntry(iteration);
    if (newest == null) {
      return Optional.empty();
    }
    state = newest.getValue();
    checkpoints.tailMap(newest.getKey(), false).clear();
    return Optional.of(report(newest.getKey()));
  }

  static RestoreReport report(long iteration) {
    return new RestoreReport(
        new CheckpointId(GROUP, 1, iteration), Level.DEVICE, "memory", 24, List.of());
  }

  @Override
  public void leaveOut(Long from, long minibatches) {
    omittedFrom = from;
    omitted = minibatches;
  }

  @Override
  public void multiplyRates(double factor) {
    rate *= factor;
  }
}
