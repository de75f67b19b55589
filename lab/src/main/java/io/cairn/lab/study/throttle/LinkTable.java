package io.cairn.lab.study.throttle;

import io.cairn.core.flow.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The stretches of each way from a device to another or to the host, with a rate each, of which
 * several ways may share one. Immutable, thread-safe. Built alike in every process, so that a
 * stretch has the same number in all of them.
 */
public final class LinkTable {
  /** Where ways to host memory end. */
  public static final int HOST = -1;

  private final int devices;
  private final double[] rates;
  // by both ends; what has no way is not there
  private final Map<Integer, int[]> ways;

  private LinkTable(int devices, double[] rates, Map<Integer, int[]> ways) {
    this.devices = devices;
    this.rates = rates;
    this.ways = ways;
  }

  /**
   * The ways of a topology, with its caps and shared links.
   *
   * @param scale every rate is multiplied by this; positive
   */
  public static LinkTable of(Topology topology, double scale) {
    if (!(scale > 0)) {
      throw new IllegalArgumentException("the scale of rates must be positive, but is " + scale);
    }
    Stretches stretches = new Stretches(topology, scale);
    int devices = topology.devices();
    Map<Integer, int[]> ways = new HashMap<>();
    for (int from = 0; from < devices; from++) {
      for (int to = HOST; to < devices; to++) {
        int[] way = to == HOST ? stretches.toHost(from) : stretches.between(from, to);
        if (way != null) {
          ways.put(key(devices, from, to), way);
        }
      }
    }
    return new LinkTable(devices, stretches.rates(), ways);
  }

  private static int key(int devices, int from, int to) {
    return Objects.checkIndex(from, devices) * (devices + 1)
        + Objects.checkIndex(to + 1, devices + 1);
  }

  /**
   * The same table with one way's narrowest stretch at another rate, for all that share it.
   *
   * @param to a device, or {@link #HOST}
   * @param factor positive
   * @throws IllegalArgumentException if there is no such way, or it has no stretch
   */
  public LinkTable with(int from, int to, double factor) {
    int narrowest = Arrays.stream(way(from, to)).boxed().min(this::compare).orElse(-1);
    if (narrowest < 0 || !(factor > 0)) {
      throw new IllegalArgumentException(
          "the way from " + from + " to " + name(to) + " cannot be changed by " + factor);
    }
    double[] changed = rates.clone();
    changed[narrowest] *= factor;
    return new LinkTable(devices, changed, ways);
  }

  private int compare(int one, int other) {
    return Double.compare(rates[one], rates[other]);
  }

  /** Number of devices; they are 0 to one less. */
  public int devices() {
    return devices;
  }

  /** Number of stretches; they are 0 to one less. */
  public int stretches() {
    return rates.length;
  }

  /** Rate of a stretch. */
  public double bytesPerSecond(int stretch) {
    return rates[stretch];
  }

  /** Whether there is a way. */
  public boolean hasWay(int from, int to) {
    return ways.containsKey(key(devices, from, to));
  }

  /**
   * The stretches of a way; none within one device, where nothing is slowed.
   *
   * @throws IllegalArgumentException if there is no way
   */
  public int[] way(int from, int to) {
    int[] way = ways.get(key(devices, from, to));
    if (way == null) {
      throw new IllegalArgumentException("there is no way from device " + from + " to " + name(to));
    }
    return way.clone();
  }

  private static String name(int to) {
    return to == HOST ? "the host" : "device " + to;
  }

  /** Numbers the stretches of a topology, and finds each way's. */
  private static final class Stretches {
    private final Topology topology;
    private final double scale;
    private final List<Double> rates = new ArrayList<>();
    private final int[] egress;
    private final int[] ingress;
    private final int[] sharedHosts;
    private final int[] cardsOut;
    private final int[] cardsIn;

    Stretches(Topology topology, double scale) {
      this.topology = topology;
      this.scale = scale;
      int devices = topology.devices();
      egress = new int[devices];
      ingress = new int[devices];
      for (int device = 0; device < devices; device++) {
        egress[device] = add(topology.egressBytesPerSecond(device));
        ingress[device] = add(topology.ingressBytesPerSecond(device));
      }
      sharedHosts =
          topology.sharedHostLinks().stream().mapToInt(one -> add(one.bytesPerSecond())).toArray();
      cardsOut = topology.nodes().stream().mapToInt(one -> add(one.outBytesPerSecond())).toArray();
      cardsIn = topology.nodes().stream().mapToInt(one -> add(one.inBytesPerSecond())).toArray();
    }

    private int add(double bytesPerSecond) {
      rates.add(bytesPerSecond * scale);
      return rates.size() - 1;
    }

    int @Nullable [] toHost(int from) {
      int shared = topology.sharedHostLinkOf(from);
      int own = add(topology.hostBytesPerSecond(from));
      return shared < 0 ? way(own) : way(own, sharedHosts[shared]);
    }

    int @Nullable [] between(int from, int to) {
      if (from == to) {
        return new int[0];
      }
      if (topology.viaNetwork(from, to)) {
        int out = cardsOut[topology.nodeOf(from)];
        return way(egress[from], out, cardsIn[topology.nodeOf(to)], ingress[to]);
      }
      return way(egress[from], add(topology.linkBytesPerSecond(from, to)), ingress[to]);
    }

    /** Without what slows nothing; null if nothing gets through. */
    private int @Nullable [] way(int... stretches) {
      if (Arrays.stream(stretches).anyMatch(one -> rates.get(one) == 0)) {
        return null;
      }
      return Arrays.stream(stretches)
          .filter(one -> rates.get(one) < Double.POSITIVE_INFINITY)
          .toArray();
    }

    double[] rates() {
      return rates.stream().mapToDouble(Double::doubleValue).toArray();
    }
  }
}
