package io.cairn.engine.runtime;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.session.CheckpointTicket;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Outcome;
import io.cairn.engine.coordination.CadenceReports;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups whose cadence follows what they measure. */
@Timeout(60)
class AdaptingGroupTest {
  private static final String[] SETTINGS = {
    "cadence", "adaptive", "device.every", "1", "node.every", "2", "store.every", "4"
  };

  /** Iterations that take about as long as they do in a busy training of a small model. */
  private static final long WORK_NANOS = 1_000_000;

  @TempDir Path root;

  /** A report of an adopted plan that knows the achieved waste of some time. */
  private static Optional<CadenceReport> changed(CadenceReports reports) {
    return reports.newest().values().stream()
        .filter(report -> report.plan().version() > 0 && report.seconds() > 0)
        .findFirst();
  }

  /** The levels that a checkpoint was due at; empty if it could not be kept, or is not settled. */
  private static Optional<Set<Level>> due(CheckpointTicket ticket) {
    boolean kept = ticket.captured().join() instanceof Outcome.Captured;
    boolean settled = Stream.of(Level.values()).allMatch(level -> ticket.sealed(level).isDone());
    boolean notDue = ticket.captured().join() instanceof Outcome.NotDue;
    return settled && (kept || notDue)
        ? Optional.of(
            Stream.of(Level.values())
                .filter(level -> !(ticket.sealed(level).join() instanceof Outcome.NotDue))
                .collect(Collectors.toSet()))
        : Optional.empty();
  }

  /** The outcomes of a rank's checkpoints, and the iteration where its first new plan begins. */
  private record Trained(List<CheckpointTicket> tickets, long changedFrom) {}

  /** Trains until a new cadence has been in force for a while. */
  private static Trained trainBeyond(int rank, Checkpointer checkpointer, CadenceReports reports) {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    List<CheckpointTicket> tickets = new ArrayList<>();
    long from = Long.MAX_VALUE;
    long last = Long.MAX_VALUE;
    for (long iteration = 0; iteration < last; iteration++) {
      LockSupport.parkNanos(WORK_NANOS);
      toy.step(iteration);
      CheckpointTicket ticket = checkpointer.checkpoint(iteration);
      ticket.captured().join();
      tickets.add(ticket);
      Optional<CadenceReport> adopted = changed(reports);
      if (adopted.isPresent() && last == Long.MAX_VALUE) {
        from = Math.max(iteration, adopted.get().plan().fromIteration());
        last = from + 100;
      }
    }
    return new Trained(tickets, from);
  }

  @Test
  void aRankOnItsOwnFindsPeriodsThatWasteLess() throws Exception {
    Places places = new Places(root);
    try (Cairn cairn = Cairn.open(places.config(SETTINGS));
        Checkpointer checkpointer = cairn.join("run")) {
      List<CheckpointTicket> tickets =
          trainBeyond(0, checkpointer, cairn.cadenceReports()).tickets();
      CadenceReport report =
          cairn.cadenceReports().newest().get(new GroupId(cairn.config().job(), "run"));
      assertThat(report).isNotNull();
      for (int iteration = 0; iteration < 8; iteration++) {
        assertThat(tickets.get(iteration).sealed(Level.NODE).join() instanceof Outcome.NotDue)
            .isEqualTo(iteration % 2 != 0);
      }
      assertThat(report.predicted()).isBetween(0.0, 1.0);
      assertThat(cairn.cadenceReports().achievedWaste()).isBetween(-1.0, 1.0);
      // an iteration of a millisecond is no reason to go to the store 250 times a second
      assertThat(report.plan().periods().get(Level.STORE)).isGreaterThan(4);
    }
  }

  /** A rank on its own dies with its coordinator, and would measure everything again. */
  @Test
  void aSecondProcessBeginsWithThePeriodsThatTheFirstFound() throws Exception {
    Places places = new Places(root);
    long every;
    try (Cairn cairn = Cairn.open(places.config(SETTINGS))) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        trainBeyond(0, checkpointer, cairn.cadenceReports());
      }
      CadenceReport last =
          cairn.cadenceReports().newest().get(new GroupId(cairn.config().job(), "run"));
      every = requireNonNull(requireNonNull(last).plan().periods().get(Level.NODE));
    }
    assertThat(every).isGreaterThan(2);

    try (Cairn cairn = Cairn.open(places.config(SETTINGS));
        Checkpointer checkpointer = cairn.join("run")) {
      Toy toy = Ranks.toy(0);
      toy.protectBy(checkpointer);
      long from = checkpointer.restore().orElseThrow().id().iteration() + 1;

      for (long iteration = from; iteration < from + 20; iteration++) {
        Outcome outcome = toy.run(checkpointer, iteration, iteration + 1).sealed(Level.NODE).join();
        assertThat(outcome instanceof Outcome.NotDue)
            .as("iteration %d, every %d", iteration, every)
            .isEqualTo(iteration % every != 0);
      }
    }
  }

  @Test
  void ranksOfACoupledGroupAgreeOnTheDueLevels() throws Exception {
    try (Ranks ranks = new Ranks(root, 2, SETTINGS)) {
      List<Trained> trained =
          ranks.each((rank, checkpointer) -> trainBeyond(rank, checkpointer, ranks.reports()));
      List<CheckpointTicket> first = trained.get(0).tickets();
      List<CheckpointTicket> second = trained.get(1).tickets();
      int common = Math.min(first.size(), second.size());
      long from = Math.min(trained.get(0).changedFrom(), trained.get(1).changedFrom());
      int compared = 0;
      for (int iteration = 0; iteration < common; iteration++) {
        Optional<Set<Level>> one = due(first.get(iteration));
        Optional<Set<Level>> other = due(second.get(iteration));
        if (one.isPresent() && other.isPresent()) {
          assertThat(other).as("iteration %d, changed from %d", iteration, from).isEqualTo(one);
          compared += iteration >= from ? 1 : 0;
        }
      }
      assertThat(compared).as("of %d iterations, changed from %d", common, from).isPositive();
    }
  }
}
