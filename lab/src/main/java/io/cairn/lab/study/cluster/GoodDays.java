package io.cairn.lab.study.cluster;

import io.cairn.Level;
import io.cairn.testkit.CrashingMedium;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The duties of a cluster once everything has healed. Every training ends. It keeps no more than
 * its settings say. After further losses, whatever is at a level that survives them is still there.
 */
final class GoodDays {
  private static final long SECOND = 1_000_000_000L;
  private static final long END_NANOS = 120 * SECOND;

  /** After so long the desk knows the living processes alone, and they know each other. */
  private static final long FORGOTTEN_NANOS = 32 * SECOND;

  /** Twice the silence after which a borrower counts as dead, and some rounds. */
  private static final long GIVEN_BACK_NANOS = 10 * SECOND;

  private final Turns turns;
  private final TrueHistory ledger;
  private final Settings settings;
  private final World world;

  /** The days after the faults. */
  GoodDays(Turns turns, Settings settings, World world) {
    this.turns = turns;
    this.ledger = world.ledger();
    this.settings = settings;
    this.world = world;
  }

  /**
   * Runs until all has ended. Half of the seeds run each job again. In the others, processes that
   * lived through the faults meet further losses.
   *
   * @throws ViolationException if an invariant does not hold
   */
  void run() {
    requireDone("a training");
    boolean again = turns.random().nextBoolean();
    if (again) {
      world.restart();
      requireDone("a second run");
    } else if (settings.peer().on()) {
      requireLossSurvived();
    }
    List<Job> unhindered = new ArrayList<>(again ? world.jobs() : List.of());
    if (settings.staged()) {
      unhindered.add(trainWithoutServer());
    }
    requireEndsKept(
        world.jobs().stream()
            .filter(this::keepsEnd)
            .filter(job -> unhindered.contains(job) || ledger.isLastAtStore(job.group()))
            .toList());
  }

  /** All machines are lost, and these jobs, whose ends are at STORE, have nothing to compute. */
  private void requireEndsKept(List<Job> kept) {
    world.machines().forEach(SimulatedMachine::lose);
    world.restart();
    requireDone("a run after the loss of all machines");
    for (Job job : kept) {
      TrueHistory.require(
          job.computed() == 0,
          String.format(
              Locale.ROOT,
              "%s ended, and %d iterations are computed again from STORE",
              job.group(),
              job.computed()));
    }
  }

  /**
   * The process of the first machine dies before a training orders from it. Another server, or the
   * owners, write what that captures.
   */
  private Job trainWithoutServer() {
    turns.runUntil(turns.nowNanos() + FORGOTTEN_NANOS, () -> false);
    int size = 1 + turns.random().nextInt(2);
    Job ordering = startLate("ordering", size, turns.random().nextInt(1, 4));
    turns.runUntil(turns.nowNanos() + END_NANOS, () -> ordering.computed() > 0);
    world.killAll(world.machines().get(0), "its machine is shut down");
    requireDone("a training without its staging server");
    // a server that lends takes chunks with it
    TrueHistory.require(
        settings.sharing() || !ledger.hasFailed(ordering.group(), Level.STORE),
        ordering.group() + " had a checkpoint fail at STORE, since its staging server is gone");
    return ordering;
  }

  /** A training loses as many machines as PEER survives, and goes on from what PEER has. */
  private void requireLossSurvived() {
    int size = 1 + turns.random().nextInt(3);
    Job late = startLate("late", size, turns.random().nextInt(26, 40));
    int computed = turns.random().nextInt(5, 15);
    turns.runUntil(turns.nowNanos() + END_NANOS, () -> late.computed() >= computed);
    letPeerLead(late, 20 * size);
    ledger.losesMachines(late.group());
    List<SimulatedMachine> left = new ArrayList<>(world.machines());
    for (int lost = settings.lossesSurvived(late.machines()); lost > 0; lost--) {
      world.lose(left.remove(turns.random().nextInt(left.size())));
    }
    requireDone("a training that lost machines");
    ledger.lossIsOver(late.group());
  }

  private Job startLate(String name, int size, int goal) {
    Job late = world.addJob(name, size, goal, RankPlacement.ANYWHERE);
    late.startSoon();
    return late;
  }

  /** While nothing can be written to STORE, PEER receives a newer checkpoint; not if it is slow. */
  private void letPeerLead(Job job, int mostComputed) {
    world.store().mode(CrashingMedium.Mode.READ_ONLY);
    turns.runUntil(
        turns.nowNanos() + SECOND,
        () -> ledger.isPeerAhead(job.group()) || job.computed() >= mostComputed);
    world.store().mode(CrashingMedium.Mode.READ_WRITE);
  }

  /** Whether the last checkpoint of a job must be at STORE. */
  private boolean keepsEnd(Job job) {
    return !job.skippedEnd()
        && !job.refused()
        && !ledger.isDamaged(job.group(), Level.NODE, Level.STORE);
  }

  /** All jobs end, and a while later nothing is on its way, and few checkpoints are kept. */
  private void requireDone(String what) {
    turns.runUntil(turns.nowNanos() + END_NANOS, this::allDone);
    for (Job job : world.jobs()) {
      TrueHistory.require(job.done(), what + " of " + job.group() + " does not end");
    }
    turns.runUntil(turns.nowNanos() + SECOND, () -> false);
    requireSpaceGivenBack();
    requireSlotsGivenBack();
    Kept kept = new Kept(ledger, settings, world.machines(), ClusterSimulation.BAD_DAYS_NANOS);
    world.jobs().forEach(kept::requireFew);
  }

  /** A server writes for no owner that is lost, and for none whose training has ended. */
  private void requireSpaceGivenBack() {
    turns.runUntil(turns.nowNanos() + END_NANOS, () -> world.promisedBytes() == 0);
    TrueHistory.require(
        world.promisedBytes() == 0,
        String.format(
            Locale.ROOT,
            "staging servers hold room for %d bytes that nobody waits for",
            world.promisedBytes()));
  }

  /**
   * Once no rank trains, each lent slot comes back, also from borrowers that are dead or silent. A
   * job that was refused may have a rank that trains on.
   */
  private void requireSlotsGivenBack() {
    turns.runUntil(turns.nowNanos() + GIVEN_BACK_NANOS, () -> world.lentSlots() == 0);
    TrueHistory.require(
        world.lentSlots() == 0 || world.executors().stream().anyMatch(ExecutorProcess::trains),
        String.format(Locale.ROOT, "%d slots are lent although no rank trains", world.lentSlots()));
  }

  /** A loop, since it is asked after every event. */
  private boolean allDone() {
    for (Job job : world.jobs()) {
      if (!job.done()) {
        return false;
      }
    }
    return true;
  }
}
