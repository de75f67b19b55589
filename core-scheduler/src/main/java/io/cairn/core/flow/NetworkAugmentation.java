package io.cairn.core.flow;

import java.util.Arrays;

/**
 * Raises a network's flow to its maximum and finds the minimum cut: shortest augmenting paths, all
 * of a length at once (Dinic), in layers that are counted from the sink. O(edges) per length in
 * practice; keeps its arrays; one thread.
 */
final class NetworkAugmentation {
  private static final int NONE = -1;

  private int[] layer = new int[0];
  private int[] queue = new int[0];
  private int[] next = new int[0];

  /**
   * Ships what can be shipped. Afterwards {@link #cut} describes the cut, unless the network is
   * complete.
   */
  void toMaximum(Network network) {
    if (layer.length < network.vertices) {
      layer = new int[network.vertices];
      queue = new int[network.vertices];
      next = new int[network.vertices];
    }
    while (!network.complete() && layers(network)) {
      System.arraycopy(network.firstEdge, 0, next, 0, network.vertices);
      for (int vertex = 0; vertex < network.vertices; vertex++) {
        double units = network.need[vertex] > 0 ? network.excessOf(vertex) : 0;
        if (units > 0 && layer[vertex] != NONE) {
          network.excess[vertex] -= ship(network, vertex, units);
        }
      }
    }
  }

  /** Whether the vertex lies on the senders' side of the cut. */
  boolean cut(int vertex) {
    return layer[vertex] == NONE;
  }

  private boolean layers(Network network) {
    Arrays.fill(layer, 0, network.vertices, NONE);
    layer[Network.SINK] = 0;
    queue[0] = Network.SINK;
    int last = Integer.MAX_VALUE;
    for (int read = 0, written = 1; read < written; read++) {
      int vertex = queue[read];
      if (layer[vertex] >= last) {
        break;
      }
      for (int e = network.firstEdge[vertex]; e != Network.NO_EDGE; e = network.nextEdge[e]) {
        int before = network.head[e];
        if (layer[before] == NONE && network.room(e ^ 1) > 0) {
          layer[before] = layer[vertex] + 1;
          queue[written++] = before;
          if (network.need[before] > 0 && network.excessOf(before) > 0) {
            last = layer[before];
          }
        }
      }
    }
    return last != Integer.MAX_VALUE;
  }

  private double ship(Network network, int vertex, double units) {
    if (vertex == Network.SINK) {
      return units;
    }
    double wanted = units;
    int toLayer = layer[vertex] - 1;
    while (next[vertex] != Network.NO_EDGE) {
      int edge = next[vertex];
      int head = network.head[edge];
      double room = layer[head] == toLayer ? Math.min(wanted, network.room(edge)) : 0;
      if (room > 0) {
        double sent = ship(network, head, room);
        network.push(edge, sent);
        wanted -= sent;
        if (wanted <= 0) {
          return units;
        }
      }
      next[vertex] = network.nextEdge[edge];
    }
    return units - wanted;
  }
}
