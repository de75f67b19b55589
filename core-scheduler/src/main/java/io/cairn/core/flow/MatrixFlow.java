package io.cairn.core.flow;

/**
 * Senders, receivers and the flow between them, for topologies without shared capacities. Row i of
 * the matrices is the i-th sender, column j the j-th receiver. A unit is a byte or a chunk. Each
 * sender has a time of its own, in which each of its links carries rate × time, rounded down for
 * whole units. Keeps its arrays from problem to problem; one thread.
 */
final class MatrixFlow {
  boolean whole;
  int senders;
  int receivers;
  int[] sender = new int[0];
  int[] receiver = new int[0];
  double[] need = new double[0];
  double[] spare = new double[0];
  double[] hostRate = new double[0];
  double[] linkRates = new double[0];
  double[] rate = new double[0];
  double[] time = new double[0];
  double[] toHost = new double[0];
  double[] excess = new double[0];
  double[] left = new double[0];
  double[] flow = new double[0];

  /** Takes a problem's sizes and rates; the flow is undefined after it. O(senders × receivers). */
  void load(FlowProblem problem, boolean wholeChunks) {
    whole = wholeChunks;
    if (sender.length < problem.devices()) {
      grow(problem.devices());
    }
    senders = 0;
    receivers = 0;
    for (int device = 0; device < problem.devices(); device++) {
      long remainder = problem.remainder(device, whole);
      long spareUnits = problem.spare(device, whole);
      if (remainder > 0) {
        need[senders] = remainder;
        sender[senders++] = device;
      } else if (spareUnits > 0) {
        spare[receivers] = spareUnits;
        receiver[receivers++] = device;
      }
    }
    if (rate.length < senders * receivers) {
      rate = new double[senders * receivers];
      flow = new double[senders * receivers];
    }
    double unitsPerByte = whole ? 1.0 / problem.chunkBytes() : 1;
    for (int i = 0; i < senders; i++) {
      hostRate[i] = problem.topology().hostBytesPerSecond(sender[i]) * unitsPerByte;
      linkRates[i] = loadRow(problem.topology().links(), i, unitsPerByte);
    }
  }

  private void grow(int devices) {
    sender = new int[devices];
    receiver = new int[devices];
    need = new double[devices];
    spare = new double[devices];
    hostRate = new double[devices];
    linkRates = new double[devices];
    time = new double[devices];
    toHost = new double[devices];
    excess = new double[devices];
    left = new double[devices];
  }

  /** The summed rates of the row. */
  private double loadRow(Links links, int i, double unitsPerByte) {
    int row = i * receivers;
    double sum = 0;
    for (int j = 0; j < receivers; j++) {
      double linkRate = links.rate(sender[i], receiver[j]) * unitsPerByte;
      rate[row + j] = linkRate;
      sum += linkRate;
    }
    return sum;
  }

  /** The units that a rate carries in a time. */
  double capacity(double linkRate, double seconds) {
    double units = linkRate * seconds;
    return whole ? Math.floor(units * CutTime.ROUNDING) : units;
  }

  /** The units that the link of row i still carries. */
  double room(int i, int at) {
    double capacity = capacity(rate[at], time[i]);
    double room = capacity - flow[at];
    return room > (whole ? 0.5 : capacity * Precision.NO_ROOM) ? room : 0;
  }

  /** The units that could be withdrawn from the link of row i. */
  double taken(int i, int at) {
    double units = flow[at];
    return units > (whole ? 0.5 : Precision.SHIPPED * need[i]) ? units : 0;
  }

  /** The units that the sender's host link still takes. */
  double hostRoom(int i) {
    double capacity = capacity(hostRate[i], time[i]);
    double room = capacity - toHost[i];
    return room > (whole ? 0.5 : capacity * Precision.NO_ROOM) ? room : 0;
  }

  /** The units that the receiver still takes. */
  double leftOf(int j) {
    return left[j] > (whole ? 0.5 : spare[j] * Precision.NO_ROOM) ? left[j] : 0;
  }

  /** The units that the sender has not shipped yet. */
  double excessOf(int i) {
    return excess[i] > (whole ? 0.5 : need[i] * Precision.SHIPPED) ? excess[i] : 0;
  }

  /** Fills the host links. */
  void fillHosts() {
    for (int i = 0; i < senders; i++) {
      double units = Math.min(excess[i], hostRoom(i));
      toHost[i] += units;
      excess[i] -= units;
    }
  }

  /** Whether every sender has shipped all. */
  boolean complete() {
    for (int i = 0; i < senders; i++) {
      if (excessOf(i) > 0) {
        return false;
      }
    }
    return true;
  }
}
