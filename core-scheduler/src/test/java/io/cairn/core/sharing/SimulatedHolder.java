package io.cairn.core.sharing;

import java.util.ArrayList;
import java.util.List;

/** A process that lends its memory, and on which ranks live. */
final class SimulatedHolder {
  final SimulatedProcess process;
  final String node;
  final SimulatedLender lender;
  private final List<SimulatedBorrower> ranks = new ArrayList<>();
  private long nonce;

  SimulatedHolder(String name, String node, SharingWorld world) {
    this.process = new SimulatedProcess(name, world.time);
    this.node = node;
    this.lender = new SimulatedLender(process, world);
  }

  long nextNonce() {
    return ++nonce;
  }

  void hosts(SimulatedBorrower rank) {
    ranks.add(rank);
  }

  List<SimulatedBorrower> ranks() {
    return ranks;
  }

  void hear(LeaseAnswer answer) {
    ranks.forEach(rank -> rank.hear(answer));
  }

  void vacate(LeaseId id) {
    ranks.forEach(rank -> rank.vacate(id));
  }

  void hear(PlanAnswer answer) {
    ranks.forEach(rank -> rank.hear(answer));
  }
}
