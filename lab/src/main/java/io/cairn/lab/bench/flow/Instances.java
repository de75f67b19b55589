package io.cairn.lab.bench.flow;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.TopologyBuilder;
import io.cairn.core.flow.topology.Presets;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The problems that are measured. Equal arguments give equal ones, in every JVM. Remainders and
 * spares are 1 to 200 MB, of any number of bytes, in chunks of 1 MB.
 */
final class Instances {
  private static final long CHUNK_BYTES = 1_000_000;
  private static final long MOST_BYTES = 200_000_000;
  private static final double HOST_RATE = 12e9;
  private static final double NV_LINK = 24e9;
  private static final int DEVICES_PER_NODE = 8;

  private Instances() {}

  /** Several instances of one size, fewer where each is large. */
  static FlowProblem[] dense(int devices) {
    return dense(devices, count(devices));
  }

  /** How many those are. */
  static int count(int devices) {
    return devices <= 128 ? 16 : devices <= 1024 ? 8 : 2;
  }

  /** The first instances of {@link #dense(int)}. */
  static FlowProblem[] dense(int devices, int count) {
    return IntStream.range(0, count)
        .mapToObj(index -> allToAll(index, devices))
        .toArray(FlowProblem[]::new);
  }

  /**
   * Every device linked to every other, the first half senders and the others receivers. Links of
   * even instances have any rate from 5 to 50 GB/s, of odd ones 24 or 48 GB/s.
   */
  private static FlowProblem allToAll(int index, int devices) {
    SplittableRandom random = new SplittableRandom(31L * devices + index);
    TopologyBuilder topology = Topology.builder(devices).host(HOST_RATE);
    for (int from = 0; from < devices; from++) {
      for (int to = 0; to < devices; to++) {
        if (from != to) {
          double any = 5e9 + 45e9 * random.nextDouble();
          topology.link(from, to, index % 2 == 0 ? any : NV_LINK * (1 + random.nextInt(2)));
        }
      }
    }
    return halves(random, topology.build());
  }

  /** All links at 24 GB/s; the first half senders and the others receivers. */
  static FlowProblem[] uniform(int devices) {
    return IntStream.range(0, 16)
        .mapToObj(
            index ->
                halves(
                    new SplittableRandom(37L * devices + index),
                    Topology.uniform(devices, NV_LINK, HOST_RATE)))
        .toArray(FlowProblem[]::new);
  }

  /**
   * DGX-1 with V100, pairs of devices behind one host link, in a cluster; every device is a sender
   * or a receiver by the toss of a coin.
   *
   * @param nicGigabytesPerSecond of each node
   */
  static FlowProblem[] cluster(int nodes, double nicGigabytesPerSecond) {
    Topology topology = Presets.dgx1V100().cluster(nodes, nicGigabytesPerSecond * 1e9);
    return IntStream.range(0, nodes <= 128 ? 8 : 4)
        .mapToObj(index -> tossed(new SplittableRandom(41L * nodes + index), topology))
        .toArray(FlowProblem[]::new);
  }

  /** Devices of {@link #cluster}. */
  static int clusterDevices(int nodes) {
    return nodes * DEVICES_PER_NODE;
  }

  private static FlowProblem halves(SplittableRandom random, Topology topology) {
    int devices = topology.devices();
    long[] remainder = new long[devices];
    long[] spare = new long[devices];
    for (int device = 0; device < devices; device++) {
      (device < devices / 2 ? remainder : spare)[device] = size(random);
    }
    return new FlowProblem(topology, remainder, spare, CHUNK_BYTES);
  }

  private static FlowProblem tossed(SplittableRandom random, Topology topology) {
    long[] remainder = new long[topology.devices()];
    long[] spare = new long[topology.devices()];
    for (int device = 0; device < topology.devices(); device++) {
      (random.nextBoolean() ? remainder : spare)[device] = size(random);
    }
    return new FlowProblem(topology, remainder, spare, CHUNK_BYTES);
  }

  private static long size(SplittableRandom random) {
    return random.nextLong(CHUNK_BYTES, MOST_BYTES + 1);
  }
}
