package io.cairn.lab.study.cluster;

import io.cairn.CheckpointId;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The invariants of retention at the machines, once nothing is on its way.
 *
 * @param healedNanos since when nothing fails; an earlier training may have failed to delete
 */
record Kept(
    TrueHistory ledger, Settings settings, List<SimulatedMachine> machines, long healedNanos) {
  /** A machine on which a training ended holds what it keeps, and so does its partner. */
  void requireFew(Job job) {
    Set<CheckpointId> replaced = ledger.capturedIfAtNode(job.group());
    if (replaced.isEmpty() || !job.trainedSince(healedNanos) || leavesSomeOnItsWay(job)) {
      return;
    }
    // copies of an earlier attempt may be at a machine that is its partner no more
    long newest = ledger.newestEpoch(job.group());
    for (SimulatedMachine machine : machines) {
      if (job.trainedOn(machine, healedNanos)) {
        long held = machine.held(job.group()).stream().filter(replaced::contains).count();
        require(job, machine, "checkpoints", held, settings.keptAtNode());
      }
      long copies =
          machine.keptForOthers(job.group()).stream().filter(id -> id.epoch() == newest).count();
      require(job, machine, "copies", copies, settings.keep());
    }
  }

  /**
   * A rank that ends before PEER has its last checkpoint deletes nothing for what is sealed later.
   */
  private boolean leavesSomeOnItsWay(Job job) {
    return settings.peer().on() && !ledger.isLastAtPeer(job.group());
  }

  private static void require(Job job, SimulatedMachine machine, String what, long held, int kept) {
    TrueHistory.require(
        held <= kept + 1,
        String.format(
            Locale.ROOT,
            "%s holds %d %s of %s at NODE, and keeps %d",
            machine.name(),
            held,
            what,
            job.group(),
            kept));
  }
}
