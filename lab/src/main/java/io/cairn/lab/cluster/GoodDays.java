package io.cairn.lab.cluster;

import io.cairn.core.model.Level;
import io.cairn.flush.store.CrashingMedium;
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

  private final Turns turns;
  private final Ledger ledger;
  private final Settings settings;
  private final List<Machine> machines;
  private final List<Job> jobs;
  private final CrashingMedium store;
  private final Cluster cluster;

  /** The processes of the cluster. */
  interface Cluster {
    /** A further job, of so many ranks and iterations, starts soon. */
    Job startLate(String name, int size, int goal);

    /** The processes at a machine die, and it stays without one. */
    void kill(Machine machine);

    /** The bytes that living processes have promised to write to STORE for others. */
    long promisedBytes();

    /** A machine is lost, with all its processes. */
    void lose(Machine machine);

    /** All processes end, others take their places, and all jobs run again. */
    void restart();
  }

  /**
   * The days after the faults.
   *
   * @param jobs all of them, also those that the cluster starts later
   */
  GoodDays(
      Turns turns,
      Ledger ledger,
      Settings settings,
      List<Machine> machines,
      List<Job> jobs,
      CrashingMedium store,
      Cluster cluster) {
    this.turns = turns;
    this.ledger = ledger;
    this.settings = settings;
    this.machines = machines;
    this.jobs = jobs;
    this.store = store;
    this.cluster = cluster;
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
      cluster.restart();
      requireDone("a second run");
    } else if (settings.peer().on()) {
      requireLossSurvived();
    }
    List<Job> unhindered = new ArrayList<>(again ? jobs : List.of());
    if (settings.staged()) {
      unhindered.add(trainWithoutServer());
    }
    requireEndsKept(
        jobs.stream()
            .filter(this::keepsEnd)
            .filter(job -> unhindered.contains(job) || ledger.isLastAtStore(job.group()))
            .toList());
  }

  /** All machines are lost, and these jobs, whose ends are at STORE, have nothing to compute. */
  private void requireEndsKept(List<Job> kept) {
    machines.forEach(Machine::lose);
    cluster.restart();
    requireDone("a run after the loss of all machines");
    for (Job job : kept) {
      Ledger.require(
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
    Job ordering = cluster.startLate("ordering", size, turns.random().nextInt(1, 4));
    turns.runUntil(turns.nowNanos() + END_NANOS, () -> ordering.computed() > 0);
    cluster.kill(machines.get(0));
    requireDone("a training without its staging server");
    Ledger.require(
        !ledger.hasFailed(ordering.group(), Level.STORE),
        ordering.group() + " had a checkpoint fail at STORE, since its staging server is gone");
    return ordering;
  }

  /** A training loses as many machines as PEER survives, and goes on from what PEER has. */
  private void requireLossSurvived() {
    int size = 1 + turns.random().nextInt(3);
    Job late = cluster.startLate("late", size, turns.random().nextInt(26, 40));
    int computed = turns.random().nextInt(5, 15);
    turns.runUntil(turns.nowNanos() + END_NANOS, () -> late.computed() >= computed);
    letPeerLead(late, 20 * size);
    ledger.losesMachines(late.group());
    List<Machine> left = new ArrayList<>(machines);
    for (int lost = settings.lossesSurvived(late.machines()); lost > 0; lost--) {
      cluster.lose(left.remove(turns.random().nextInt(left.size())));
    }
    requireDone("a training that lost machines");
    ledger.lossIsOver(late.group());
  }

  /** While nothing can be written to STORE, PEER receives a newer checkpoint; not if it is slow. */
  private void letPeerLead(Job job, int mostComputed) {
    store.mode(CrashingMedium.Mode.READ_ONLY);
    turns.runUntil(
        turns.nowNanos() + SECOND,
        () -> ledger.isPeerAhead(job.group()) || job.computed() >= mostComputed);
    store.mode(CrashingMedium.Mode.READ_WRITE);
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
    for (Job job : jobs) {
      Ledger.require(job.done(), what + " of " + job.group() + " does not end");
    }
    turns.runUntil(turns.nowNanos() + SECOND, () -> false);
    requireSpaceGivenBack();
    Kept kept = new Kept(ledger, settings, machines, ClusterSimulation.BAD_DAYS_NANOS);
    jobs.forEach(kept::requireFew);
  }

  /** A server writes for no owner that is lost, and for none whose training has ended. */
  private void requireSpaceGivenBack() {
    turns.runUntil(turns.nowNanos() + END_NANOS, () -> cluster.promisedBytes() == 0);
    Ledger.require(
        cluster.promisedBytes() == 0,
        String.format(
            Locale.ROOT,
            "staging servers hold room for %d bytes that nobody waits for",
            cluster.promisedBytes()));
  }

  /** A loop, since it is asked after every event. */
  private boolean allDone() {
    for (Job job : jobs) {
      if (!job.done()) {
        return false;
      }
    }
    return true;
  }
}
