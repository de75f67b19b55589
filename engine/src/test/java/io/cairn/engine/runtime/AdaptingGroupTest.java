package io.cairn.engine.runtime;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
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

  /** The same in virtual time, and by how much a write delays the iteration that it falls into. */
  private static final long VIRTUAL_WORK_NANOS = 10_000_000;

  private static final long NODE_NANOS = 5_000_000;
  private static final long STORE_NANOS = 20_000_000;

  @TempDir Path root;

  /** The clock of a rank on its own: only its work and its writes move it. */
  private final AtomicLong clock = new AtomicLong();

  /** Held by a rank on its own while it captures, so that no write falls into the capture. */
  private final Object capturing = new Object();

  private CairnEngine openInVirtualTime() throws IOException {
    CairnConfig config = new Places(root).config(SETTINGS);
    GatedStore store = new GatedStore(CheckpointStores.open(config.store()));
    store.gate((operation, path) -> pass(operation.equals("sync") ? STORE_NANOS : 0));
    List<StepPlan> steps =
        List.of(
            new StepPlan(
                Level.NODE,
                Level.DEVICE,
                levels -> {
                  GatedLevel node = GatedLevel.node(levels);
                  node.gate(() -> pass(NODE_NANOS));
                  return node;
                }),
            StepPlan.ALL.get(1));
    return CairnEngine.open(config, store, Devices.open(config), steps, clock::get);
  }

  private void pass(long nanos) {
    synchronized (capturing) {
      clock.addAndGet(nanos);
    }
  }

  /** Captures an iteration, and waits until all of its writes have passed. */
  private CheckpointTicket checkpointInVirtualTime(Checkpointer checkpointer, long iteration) {
    pass(VIRTUAL_WORK_NANOS);
    CheckpointTicket ticket;
    synchronized (capturing) {
      ticket = checkpointer.checkpoint(iteration);
    }
    for (Level level : Level.values()) {
      ticket.sealed(level).join();
    }
    return ticket;
  }

  private static CheckpointTicket checkpointInRealTime(Checkpointer checkpointer, long iteration) {
    LockSupport.parkNanos(WORK_NANOS);
    return checkpointer.checkpoint(iteration);
  }

  /** Takes the checkpoint of an iteration. */
  private interface Checkpointing {
    CheckpointTicket take(Checkpointer checkpointer, long iteration);
  }

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
  private static Trained trainBeyond(
      int rank, Checkpointer checkpointer, CadenceReports reports, Checkpointing checkpointing) {
    Toy toy = Ranks.toy(rank);
    toy.protectBy(checkpointer);
    List<CheckpointTicket> tickets = new ArrayList<>();
    long from = Long.MAX_VALUE;
    long last = Long.MAX_VALUE;
    for (long iteration = 0; iteration < last; iteration++) {
      toy.step(iteration);
      CheckpointTicket ticket = checkpointing.take(checkpointer, iteration);
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
    try (CairnEngine cairn = openInVirtualTime();
        Checkpointer checkpointer = cairn.join("run")) {
      List<CheckpointTicket> tickets =
          trainBeyond(0, checkpointer, cairn.cadenceReports(), this::checkpointInVirtualTime)
              .tickets();
      CadenceReport report =
          cairn.cadenceReports().newest().get(new GroupId(cairn.config().job(), "run"));
      assertThat(report).isNotNull();
      for (int iteration = 0; iteration < 8; iteration++) {
        assertThat(tickets.get(iteration).sealed(Level.NODE).join() instanceof Outcome.NotDue)
            .isEqualTo(iteration % 2 != 0);
      }
      assertThat(report.predicted()).isBetween(0.0, 1.0);
      assertThat(cairn.cadenceReports().achievedWaste()).isBetween(-1.0, 1.0);
      // an iteration of ten milliseconds is no reason to go to the store 25 times a second
      assertThat(report.plan().periods().get(Level.STORE)).isGreaterThan(4);
    }
  }

  /** A rank on its own dies with its coordinator, and would measure everything again. */
  @Test
  void aSecondProcessBeginsWithThePeriodsThatTheFirstFound() throws Exception {
    long every;
    try (CairnEngine cairn = openInVirtualTime()) {
      try (Checkpointer checkpointer = cairn.join("run")) {
        trainBeyond(0, checkpointer, cairn.cadenceReports(), this::checkpointInVirtualTime);
      }
      CadenceReport last =
          cairn.cadenceReports().newest().get(new GroupId(cairn.config().job(), "run"));
      every = requireNonNull(requireNonNull(last).plan().periods().get(Level.NODE));
    }
    assertThat(every).isGreaterThan(2);

    try (CairnEngine cairn = openInVirtualTime();
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
          ranks.each(
              (rank, checkpointer) ->
                  trainBeyond(
                      rank,
                      checkpointer,
                      ranks.reports(),
                      AdaptingGroupTest::checkpointInRealTime));
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
