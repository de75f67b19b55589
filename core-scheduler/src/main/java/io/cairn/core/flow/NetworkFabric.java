package io.cairn.core.flow;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The part of the graph between the nodes of a cluster: card out of a node → pool → card into
 * another. O(nodes) edges, and one more per pair of pairwise nodes. Keeps its arrays; one thread.
 */
final class NetworkFabric {
  /*
   * Pool
   *
   * One pool replaces an edge per pair of nodes. It lets a node send to itself, which no device
   * does over its card. NetworkRoutes exchanges such units with those of two other nodes, which
   * succeeds unless one node has more than half of all traffic.
   *
   * Pairwise nodes
   *
   * A node with more than half of all traffic becomes pairwise: it has an edge to each other
   * pairwise node, and pools that do not lead back to it.
   */

  private static final int NONE = -1;

  /** An excess over half of all traffic that is rounding. */
  private static final double ROUNDING = 1e-13;

  private final NetworkFlow network;
  private final NetworkRoutes routes = new NetworkRoutes();
  private int[] cardOut = new int[0];
  private int[] cardIn = new int[0];
  private int[] outEdge = new int[0];
  private int[] inEdge = new int[0];
  private int[] toCard = new int[0];
  private int[] fromCard = new int[0];
  private int nodes;
  private BitSet pairwise = new BitSet();
  private int pairEdges;
  private int pairs;
  private int[] pairFrom = new int[0];
  private int[] pairTo = new int[0];

  NetworkFabric(NetworkFlow network) {
    this.network = network;
  }

  /** Adds the cards of nodes that send or receive, and the edges between them. */
  void build(Topology topology, NetworkModel model, double unitsPerByte, BitSet pairwiseNodes) {
    nodes = topology.nodes().size();
    pairwise = pairwiseNodes;
    reserve(topology.devices());
    Arrays.fill(cardOut, 0, nodes, NONE);
    Arrays.fill(cardIn, 0, nodes, NONE);
    Arrays.fill(toCard, 0, topology.devices(), NONE);
    Arrays.fill(fromCard, 0, topology.devices(), NONE);
    for (int device = 0; device < topology.devices() && nodes > 0; device++) {
      int node = topology.nodeOf(device);
      if (node != NONE && model.exit[device] != NONE) {
        cardOut[node] = cardOut[node] == NONE ? network.vertex(0) : cardOut[node];
        toCard[device] = network.unlimited(model.exit[device], cardOut[node]);
      } else if (node != NONE && model.entry[device] != NONE) {
        cardIn[node] = cardIn[node] == NONE ? network.vertex(0) : cardIn[node];
        fromCard[device] = network.unlimited(cardIn[node], model.entry[device]);
      }
    }
    pairs = 0;
    if (nodes > 0) {
      addCards(topology, unitsPerByte);
    }
  }

  private void reserve(int devices) {
    if (cardOut.length < nodes) {
      cardOut = new int[nodes];
      cardIn = new int[nodes];
      outEdge = new int[nodes];
      inEdge = new int[nodes];
    }
    if (toCard.length < devices) {
      toCard = new int[devices];
      fromCard = new int[devices];
    }
  }

  /** Adds the cards with a vertex behind each, and the pools between those vertices. */
  private void addCards(Topology topology, double unitsPerByte) {
    int fromOthers = network.vertex(0);
    int toOthers = network.vertex(0);
    network.unlimited(fromOthers, toOthers);
    for (int node = 0; node < nodes; node++) {
      ClusterNode cards = topology.nodes().get(node);
      if (cardOut[node] != NONE) {
        int behind = network.vertex(0);
        outEdge[node] =
            network.rated(cardOut[node], behind, cards.outBytesPerSecond() * unitsPerByte);
        network.unlimited(behind, pairwise.get(node) ? toOthers : fromOthers);
      }
      if (cardIn[node] != NONE) {
        int before = network.vertex(0);
        inEdge[node] = network.rated(before, cardIn[node], cards.inBytesPerSecond() * unitsPerByte);
        network.unlimited(pairwise.get(node) ? fromOthers : toOthers, before);
      }
    }
    pairEdges = network.edges;
    for (int from = pairwise.nextSetBit(0); from >= 0; from = pairwise.nextSetBit(from + 1)) {
      for (int to = pairwise.nextSetBit(0); to >= 0; to = pairwise.nextSetBit(to + 1)) {
        if (from != to && cardOut[from] != NONE && cardIn[to] != NONE) {
          addPair(from, to);
        }
      }
    }
  }

  private void addPair(int from, int to) {
    if (pairs == pairFrom.length) {
      pairFrom = Arrays.copyOf(pairFrom, 2 * pairs + 16);
      pairTo = Arrays.copyOf(pairTo, 2 * pairs + 16);
    }
    pairFrom[pairs] = from;
    pairTo[pairs++] = to;
    network.unlimited(network.head[outEdge[from]], network.head[inEdge[to] ^ 1]);
  }

  /** A node that sends to itself in this flow and so has to become pairwise; -1 if none. */
  int selfish() {
    double total = 0;
    for (int node = 0; node < nodes; node++) {
      total += out(node);
    }
    for (int node = 0; node < nodes; node++) {
      if (!pairwise.get(node) && out(node) + in(node) > total * (1 + ROUNDING)) {
        return node;
      }
    }
    return NONE;
  }

  private double out(int node) {
    return cardOut[node] == NONE ? 0 : network.flow[outEdge[node]];
  }

  private double in(int node) {
    return cardIn[node] == NONE ? 0 : network.flow[inEdge[node]];
  }

  /** Nodes whose card out lies within the cut; a node without card does too. */
  BitSet out(boolean[] side) {
    BitSet beyond = new BitSet();
    for (int node = 0; node < nodes; node++) {
      beyond.set(node, cardOut[node] == NONE || side[network.head[outEdge[node]]]);
    }
    return beyond;
  }

  /** Nodes whose card in lies within the cut. */
  BitSet in(boolean[] side) {
    BitSet beyond = new BitSet();
    for (int node = 0; node < nodes; node++) {
      beyond.set(node, cardIn[node] != NONE && side[cardIn[node]]);
    }
    return beyond;
  }

  /** Divides the flow over the cards into transfers between devices. */
  void route(Topology topology) {
    if (nodes == 0) {
      return;
    }
    routes.begin(nodes, topology.devices());
    for (int node = 0; node < nodes; node++) {
      routes.node(node, out(node), in(node));
    }
    for (int pair = 0; pair < pairs; pair++) {
      double units = network.flow[pairEdges + 2 * pair];
      if (units > 0) {
        routes.match(pairFrom[pair], pairTo[pair], units);
      }
    }
    routes.matchRest();
    routes.split(topology, this);
  }

  /** Units that the device sends over its node's card. */
  double sent(int device) {
    return toCard[device] == NONE ? 0 : network.flow[toCard[device]];
  }

  /** Units that the device receives over its node's card. */
  double received(int device) {
    return fromCard[device] == NONE ? 0 : network.flow[fromCard[device]];
  }

  /** Adds the sender's transfers over the network that exceed a size; returns their units. */
  double write(int device, PlanWriter plan, double least) {
    return nodes == 0 ? 0 : routes.write(device, plan, least);
  }
}
