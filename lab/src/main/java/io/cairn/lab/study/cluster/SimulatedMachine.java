package io.cairn.lab.study.cluster;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.testkit.CrashingMedium;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.SplittableRandom;

/** A machine, whose NODE survives its processes and not the machine. */
final class SimulatedMachine {
  private final String name;
  private final int processes;
  private final SplittableRandom seeds;
  private CrashingMedium node;
  private final Map<String, Actor> started = new HashMap<>();
  private int losses;

  /**
   * A machine that nobody uses yet.
   *
   * @param processes that it has when all is well
   */
  SimulatedMachine(String name, int processes, SplittableRandom seeds) {
    this.name = name;
    this.processes = processes;
    this.seeds = seeds;
    this.node = new CrashingMedium(seeds.nextLong());
  }

  String name() {
    return name;
  }

  int processes() {
    return processes;
  }

  CrashingMedium node() {
    return node;
  }

  /** The checkpoints of which NODE here has a part that counts. */
  SortedSet<CheckpointId> held(GroupId group) {
    return CheckpointFiles.published(node, group);
  }

  /** The checkpoints of which this machine keeps copies for others. */
  SortedSet<CheckpointId> keptForOthers(GroupId group) {
    return CheckpointFiles.copied(node, group);
  }

  /** A process began here. */
  void started(Actor process) {
    started.put(process.name(), process);
  }

  /** The process of a name that began here, dead or not, on this machine or the one before. */
  Optional<Actor> started(String process) {
    return Optional.ofNullable(started.get(process));
  }

  /** How often it was lost: copies of an earlier life are gone. */
  int losses() {
    return losses;
  }

  /** Another machine takes its place. */
  void lose() {
    losses++;
    node = new CrashingMedium(seeds.nextLong());
  }
}
