package io.cairn.core.flow;

import java.util.Arrays;

/**
 * A graph of edges whose capacities grow with time, and a flow in it from vertices with excess to
 * {@link #SINK}. An edge carries rate × time, rounded down for whole units, or a constant. Each
 * problem adds its vertices and edges anew; the arrays are kept. One thread.
 *
 * <p>Edge e and its reverse e ^ 1 are neighbours in the arrays. A reverse edge has no capacity of
 * its own, and the negative flow of the other.
 */
final class NetworkFlow {
  static final int SINK = 0;
  static final int NO_EDGE = -1;

  boolean whole;
  int vertices;
  int edges;
  int[] firstEdge = new int[64];
  double[] need = new double[64];
  double[] excess = new double[64];
  int[] nextEdge = new int[256];
  int[] head = new int[256];
  double[] rate = new double[256];
  double[] constant = new double[256];
  double[] capacity = new double[256];
  double[] flow = new double[256];
  private double total;

  /** Starts an empty network with the sink as its only vertex. */
  void begin(boolean wholeUnits) {
    whole = wholeUnits;
    vertices = 0;
    edges = 0;
    total = 0;
    vertex(0);
  }

  /** Adds a vertex that has so many units to ship. */
  int vertex(double units) {
    if (vertices == firstEdge.length) {
      firstEdge = Arrays.copyOf(firstEdge, 2 * vertices);
      need = Arrays.copyOf(need, 2 * vertices);
      excess = Arrays.copyOf(excess, 2 * vertices);
    }
    firstEdge[vertices] = NO_EDGE;
    need[vertices] = units;
    excess[vertices] = units;
    total += units;
    return vertices++;
  }

  /** Adds an edge whose capacity grows with time. */
  int rated(int from, int to, double unitsPerSecond) {
    return edge(from, to, unitsPerSecond, 0);
  }

  /** Adds an edge with a capacity that does not change. */
  int constant(int from, int to, double units) {
    return edge(from, to, 0, units);
  }

  /** Adds an edge without limit. */
  int unlimited(int from, int to) {
    return edge(from, to, 0, Double.POSITIVE_INFINITY);
  }

  private int edge(int from, int to, double unitsPerSecond, double units) {
    if (edges == head.length) {
      nextEdge = Arrays.copyOf(nextEdge, 2 * edges);
      head = Arrays.copyOf(head, 2 * edges);
      rate = Arrays.copyOf(rate, 2 * edges);
      constant = Arrays.copyOf(constant, 2 * edges);
      capacity = Arrays.copyOf(capacity, 2 * edges);
      flow = Arrays.copyOf(flow, 2 * edges);
    }
    int edge = edges;
    half(edge, from, to, unitsPerSecond, units);
    half(edge + 1, to, from, 0, 0);
    edges += 2;
    return edge;
  }

  private void half(int edge, int from, int to, double unitsPerSecond, double units) {
    head[edge] = to;
    rate[edge] = unitsPerSecond;
    constant[edge] = units;
    capacity[edge] = units;
    flow[edge] = 0;
    nextEdge[edge] = firstEdge[from];
    firstEdge[from] = edge;
  }

  /** Sets every capacity to that of this time. */
  void setTime(double seconds) {
    for (int edge = 0; edge < edges; edge += 2) {
      if (rate[edge] > 0) {
        double units = rate[edge] * seconds;
        capacity[edge] = whole ? Math.floor(units * CutTime.ROUNDING) : units;
      }
    }
  }

  /** The units that the edge still carries. */
  double room(int edge) {
    double room = capacity[edge] - flow[edge];
    double least = whole ? 0.5 : Precision.NO_ROOM * Math.min(total, capacity[edge & ~1]);
    return room > least ? room : 0;
  }

  /** The units that the vertex has not shipped yet. */
  double excessOf(int vertex) {
    double units = excess[vertex];
    return units > (whole ? 0.5 : Precision.SHIPPED * need[vertex]) ? units : 0;
  }

  /** Sends units over an edge. */
  void push(int edge, double units) {
    flow[edge] += units;
    flow[edge ^ 1] -= units;
  }

  /** Whether every vertex has shipped all. */
  boolean complete() {
    for (int vertex = 0; vertex < vertices; vertex++) {
      if (need[vertex] > 0 && excessOf(vertex) > 0) {
        return false;
      }
    }
    return true;
  }
}
