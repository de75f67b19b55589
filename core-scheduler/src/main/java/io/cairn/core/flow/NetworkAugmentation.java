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
  private int[] path = new int[0];
  private double[] asked = new double[0];
  private double[] wanted = new double[0];

  /**
   * Raises the flow to its maximum. Afterwards {@link #cut} describes the cut, unless the flow is
   * complete.
   */
  void toMaximum(NetworkFlow network) {
    if (layer.length < network.vertices) {
      layer = new int[network.vertices];
      queue = new int[network.vertices];
      next = new int[network.vertices];
      path = new int[network.vertices];
      asked = new double[network.vertices];
      wanted = new double[network.vertices];
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

  private boolean layers(NetworkFlow network) {
    Arrays.fill(layer, 0, network.vertices, NONE);
    layer[NetworkFlow.SINK] = 0;
    queue[0] = NetworkFlow.SINK;
    int last = Integer.MAX_VALUE;
    for (int read = 0, written = 1; read < written; read++) {
      int vertex = queue[read];
      if (layer[vertex] >= last) {
        break;
      }
      for (int e = network.firstEdge[vertex]; e != NetworkFlow.NO_EDGE; e = network.nextEdge[e]) {
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

  /**
   * Ships up to {@code units} from a vertex along the layers; returns the units shipped. Depth
   * first without recursion, since a path can have as many vertices as the network.
   */
  private double ship(NetworkFlow network, int from, double units) {
    int depth = 0;
    path[0] = from;
    asked[0] = units;
    wanted[0] = units;
    while (true) {
      int vertex = path[depth];
      boolean onward = wanted[depth] > 0 && vertex != NetworkFlow.SINK && advance(network, depth);
      if (onward) {
        depth++;
        continue;
      }
      double sent = vertex == NetworkFlow.SINK ? asked[depth] : asked[depth] - wanted[depth];
      if (depth == 0) {
        return sent;
      }
      depth--;
      int before = path[depth];
      network.push(next[before], sent);
      wanted[depth] -= sent;
      if (wanted[depth] > 0) {
        next[before] = network.nextEdge[next[before]];
      }
    }
  }

  /** Takes the next edge with room to the next layer; returns whether there is one. */
  private boolean advance(NetworkFlow network, int depth) {
    int vertex = path[depth];
    int toLayer = layer[vertex] - 1;
    for (int edge = next[vertex]; edge != NetworkFlow.NO_EDGE; edge = network.nextEdge[edge]) {
      int head = network.head[edge];
      double room = layer[head] == toLayer ? network.room(edge) : 0;
      if (room > 0) {
        next[vertex] = edge;
        path[depth + 1] = head;
        asked[depth + 1] = Math.min(wanted[depth], room);
        wanted[depth + 1] = asked[depth + 1];
        return true;
      }
    }
    next[vertex] = NetworkFlow.NO_EDGE;
    return false;
  }
}
