package io.cairn.core.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random problems of many shapes; equal seeds give equal problems. */
final class Problems {
  private static final long CHUNK = 1_000_000;

  private Problems() {}

  /** Without shared capacities: few or many links, equal or random rates, odd or even sizes. */
  static FlowProblem plain(RandomGenerator random) {
    int devices = 1 + random.nextInt(14);
    TopologyBuilder topology = Topology.builder(devices);
    link(random, topology, 0, devices);
    hosts(random, topology, devices);
    return sized(random, topology.build(), random.nextBoolean());
  }

  /** Every device linked to every other and to its host at one rate each. */
  static FlowProblem uniform(RandomGenerator random) {
    int devices = 1 + random.nextInt(24);
    double host = random.nextInt(5) == 0 ? 0 : 12e9;
    return sized(random, Topology.uniform(devices, rate(random), host), random.nextBoolean());
  }

  /** With caps, shared host links and nodes, any of them or none. */
  static FlowProblem shared(RandomGenerator random) {
    int nodes = 1 + random.nextInt(7);
    int each = 1 + random.nextInt(4);
    int devices = nodes * each;
    TopologyBuilder topology = Topology.builder(devices);
    boolean inNodes = random.nextInt(4) > 0;
    for (int node = 0; node < nodes; node++) {
      link(random, topology, node * each, (node + 1) * each);
      List<Integer> members = range(node * each, (node + 1) * each);
      if (inNodes) {
        topology.node(members, random.nextInt(8) == 0 ? 0 : rate(random));
      }
      if (random.nextBoolean()) {
        topology.sharedHostLink(members, rate(random) / 2);
      }
    }
    hosts(random, topology, devices);
    for (int device = 0; device < devices; device++) {
      if (random.nextInt(3) == 0) {
        topology.egress(device, rate(random));
      }
      if (random.nextInt(3) == 0) {
        topology.ingress(device, rate(random));
      }
    }
    return sized(random, topology.build(), random.nextBoolean());
  }

  /** Like {@link #shared}, but sizes and rates differ by many orders of magnitude. */
  static FlowProblem wild(RandomGenerator random) {
    int devices = 2 + random.nextInt(20);
    int half = devices / 2;
    TopologyBuilder topology = Topology.builder(devices);
    for (int sender = 0; sender < devices; sender++) {
      for (int receiver = 0; receiver < devices; receiver++) {
        boolean sameNode = sender < half == receiver < half;
        if (sender != receiver && sameNode && random.nextBoolean()) {
          topology.link(sender, receiver, wildRate(random));
        }
      }
      topology.host(sender, random.nextInt(4) == 0 ? 0 : wildRate(random));
      if (random.nextInt(3) == 0) {
        topology.egress(sender, wildRate(random)).ingress(sender, wildRate(random));
      }
    }
    topology.node(range(0, half), wildRate(random)).node(range(half, devices), wildRate(random));
    topology.sharedHostLink(range(0, half), wildRate(random));
    long[] remainder = new long[devices];
    long[] spare = new long[devices];
    for (int device = 0; device < devices; device++) {
      long bytes = (long) Math.pow(10, 12 * random.nextDouble());
      if (random.nextBoolean()) {
        remainder[device] = bytes;
      } else {
        spare[device] = bytes;
      }
    }
    return new FlowProblem(topology.build(), remainder, spare, 1_000_000_000);
  }

  private static double wildRate(RandomGenerator random) {
    return Math.pow(10, 2 + 10 * random.nextDouble());
  }

  private static void link(RandomGenerator random, TopologyBuilder topology, int from, int to) {
    double density = random.nextDouble();
    boolean equal = random.nextBoolean();
    for (int sender = from; sender < to; sender++) {
      for (int receiver = from; receiver < to; receiver++) {
        if (sender != receiver && random.nextDouble() < density) {
          topology.link(sender, receiver, equal ? 24e9 : rate(random));
        }
      }
    }
  }

  private static void hosts(RandomGenerator random, TopologyBuilder topology, int devices) {
    int kind = random.nextInt(4);
    for (int device = 0; device < devices; device++) {
      topology.host(device, kind == 0 ? 12e9 : random.nextInt(6) == 0 ? 0 : rate(random));
    }
  }

  static FlowProblem sized(RandomGenerator random, Topology topology, boolean wholeChunks) {
    int devices = topology.devices();
    long[] remainder = new long[devices];
    long[] spare = new long[devices];
    double senders = random.nextDouble();
    for (int device = 0; device < devices; device++) {
      long chunks = random.nextInt(200);
      long bytes = wholeChunks ? chunks * CHUNK : chunks * CHUNK + random.nextInt((int) CHUNK);
      if (random.nextDouble() < senders) {
        remainder[device] = bytes;
      } else {
        spare[device] = bytes;
      }
    }
    return new FlowProblem(topology, remainder, spare, CHUNK);
  }

  private static double rate(RandomGenerator random) {
    return (1 + random.nextInt(100)) * 1e9;
  }

  static List<Integer> range(int from, int to) {
    List<Integer> range = new ArrayList<>();
    for (int device = from; device < to; device++) {
      range.add(device);
    }
    return range;
  }
}
