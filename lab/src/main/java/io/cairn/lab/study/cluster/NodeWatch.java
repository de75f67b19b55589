package io.cairn.lab.study.cluster;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.flush.format.StoreNames;
import io.cairn.testkit.CrashingMedium;
import java.util.SortedSet;

/** Judges whether a process deletes a group at one machine's node whose training needs it. */
final class NodeWatch implements TurningStore.Watch {
  private final Turns turns;
  private final TrueHistory ledger;
  private final SimulatedMachine machine;
  private final CrashingMedium store;

  NodeWatch(Turns turns, TrueHistory ledger, SimulatedMachine machine, CrashingMedium store) {
    this.turns = turns;
    this.ledger = ledger;
    this.machine = machine;
    this.store = store;
  }

  @Override
  public void deleting(String directory) {
    String[] names = directory.split("/", -1);
    if (names.length == 2 && directory.equals(StoreNames.group(new GroupId(names[0], names[1])))) {
      GroupId group = new GroupId(names[0], names[1]);
      SortedSet<CheckpointId> held = machine.held(group);
      held.addAll(machine.keptForOthers(group));
      turns.note(machine.name(), () -> "deletes all that it holds of " + group);
      try {
        ledger.cleanedAtNode(group, held, CheckpointFiles.published(store, group));
      } catch (ViolationException e) {
        turns.fail(e); // the process would log it, and go on
      }
    }
  }
}
