package io.cairn.core.flow;

import java.util.Arrays;
import java.util.List;

/**
 * Divides the traffic of nodes into transfers between devices. Nodes are matched in order. If a
 * node is matched with itself, its units are exchanged with those of two other nodes. O(nodes +
 * transfers), besides the exchanges, each of which ends one match. Keeps its arrays; one thread.
 */
final class NetworkRoutes {
  private static final int NONE = -1;

  private double[] out = new double[0];
  private double[] in = new double[0];
  private int nodes;

  private int[] matchFrom = new int[16];
  private int[] matchTo = new int[16];
  private double[] matchUnits = new double[16];
  private int matches;

  private int[] firstTransfer = new int[0];
  private int[] nextTransfer = new int[16];
  private int[] transferTo = new int[16];
  private double[] transferUnits = new double[16];
  private int transfers;
  private int[] nextSender = new int[0];
  private int[] nextReceiver = new int[0];
  private double[] senderLeft = new double[0];
  private double[] receiverLeft = new double[0];

  void begin(int nodeCount, int devices) {
    nodes = nodeCount;
    matches = 0;
    transfers = 0;
    if (out.length < nodeCount) {
      out = new double[nodeCount];
      in = new double[nodeCount];
      nextSender = new int[nodeCount];
      nextReceiver = new int[nodeCount];
    }
    if (firstTransfer.length < devices) {
      firstTransfer = new int[devices];
      senderLeft = new double[devices];
      receiverLeft = new double[devices];
    }
    Arrays.fill(firstTransfer, 0, devices, NONE);
  }

  /** Sets the units that a node sends and receives. */
  void node(int node, double sent, double received) {
    out[node] = sent;
    in[node] = received;
  }

  /** Records units between two known nodes. */
  void match(int from, int to, double units) {
    add(from, to, units);
    out[from] = Math.max(0, out[from] - units);
    in[to] = Math.max(0, in[to] - units);
  }

  private void add(int from, int to, double units) {
    if (matches == matchFrom.length) {
      matchFrom = Arrays.copyOf(matchFrom, 2 * matches);
      matchTo = Arrays.copyOf(matchTo, 2 * matches);
      matchUnits = Arrays.copyOf(matchUnits, 2 * matches);
    }
    matchFrom[matches] = from;
    matchTo[matches] = to;
    matchUnits[matches++] = units;
  }

  /** Matches the rest, so that no node sends to itself. */
  void matchRest() {
    int to = 0;
    for (int from = 0; from < nodes; from++) {
      while (out[from] > 0 && to < nodes) {
        double units = Math.min(out[from], in[to]);
        if (units > 0) {
          match(from, to, units);
        }
        if (in[to] == 0) {
          to++;
        }
      }
    }
    int known = matches;
    for (int k = 0; k < known; k++) {
      for (int other = 0; other < matches && matchFrom[k] == matchTo[k]; other++) {
        exchange(k, other);
      }
    }
  }

  /** Turns a→a and b→c into a→c and b→a, for the lesser of their units. */
  private void exchange(int k, int other) {
    int self = matchFrom[k];
    int from = matchFrom[other];
    int to = matchTo[other];
    double units = Math.min(matchUnits[k], matchUnits[other]);
    if (from != self && to != self && units > 0) {
      matchUnits[k] -= units;
      matchUnits[other] -= units;
      add(self, to, units);
      add(from, self, units);
    }
  }

  /** Divides the matches of nodes into transfers of their devices, in order. */
  void split(Topology topology, NetworkFabric fabric) {
    Arrays.fill(nextSender, 0, nodes, 0);
    Arrays.fill(nextReceiver, 0, nodes, 0);
    for (int device = 0; device < topology.devices(); device++) {
      senderLeft[device] = fabric.sent(device);
      receiverLeft[device] = fabric.received(device);
    }
    for (int k = 0; k < matches; k++) {
      if (matchFrom[k] == matchTo[k]) {
        continue; // without a partner for an exchange, it is rounding
      }
      List<Integer> senders = topology.nodes().get(matchFrom[k]).devices();
      List<Integer> receivers = topology.nodes().get(matchTo[k]).devices();
      split(k, senders, receivers);
    }
  }

  private void split(int k, List<Integer> senders, List<Integer> receivers) {
    int from = matchFrom[k];
    int to = matchTo[k];
    while (matchUnits[k] > 0
        && nextSender[from] < senders.size()
        && nextReceiver[to] < receivers.size()) {
      int sender = senders.get(nextSender[from]);
      int receiver = receivers.get(nextReceiver[to]);
      double units = Math.min(matchUnits[k], Math.min(senderLeft[sender], receiverLeft[receiver]));
      if (units > 0) {
        transfer(sender, receiver, units);
        matchUnits[k] -= units;
        senderLeft[sender] -= units;
        receiverLeft[receiver] -= units;
      }
      if (senderLeft[sender] <= 0) {
        nextSender[from]++;
      }
      if (receiverLeft[receiver] <= 0) {
        nextReceiver[to]++;
      }
    }
  }

  private void transfer(int sender, int receiver, double units) {
    for (int k = firstTransfer[sender]; k != NONE; k = nextTransfer[k]) {
      if (transferTo[k] == receiver) {
        transferUnits[k] += units;
        return;
      }
    }
    if (transfers == nextTransfer.length) {
      nextTransfer = Arrays.copyOf(nextTransfer, 2 * transfers);
      transferTo = Arrays.copyOf(transferTo, 2 * transfers);
      transferUnits = Arrays.copyOf(transferUnits, 2 * transfers);
    }
    transferTo[transfers] = receiver;
    transferUnits[transfers] = units;
    nextTransfer[transfers] = firstTransfer[sender];
    firstTransfer[sender] = transfers++;
  }

  /** Adds the sender's transfers that exceed a size; returns their units. Cards bound them. */
  double write(int sender, PlanWriter plan, double least) {
    double written = 0;
    for (int k = firstTransfer[sender]; k != NONE; k = nextTransfer[k]) {
      if (transferUnits[k] > least) {
        plan.add(sender, transferTo[k], transferUnits[k], Double.POSITIVE_INFINITY);
        written += transferUnits[k];
      }
    }
    return written;
  }
}
