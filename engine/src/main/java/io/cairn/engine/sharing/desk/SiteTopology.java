package io.cairn.engine.sharing.desk;

import io.cairn.core.flow.SharedHostLink;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.TopologyBuilder;
import io.cairn.core.sharing.HolderSite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Links holders. The links of a machine's devices apply where they are known, else memory with
 * equal links. Machines are linked by the network. Thread-safe.
 */
public final class SiteTopology implements Function<List<HolderSite>, Topology> {
  /** The rate of one of several concurrent copies within shared memory. */
  private static final double MEMORY_BYTES_PER_SECOND = 10e9;

  /** Ten gigabits per second, assumed for every cluster. */
  private static final double NETWORK_BYTES_PER_SECOND = 1.25e9;

  /** The rate to the host where no host memory is used: a plan exists, but prefers every peer. */
  public static final double NO_HOST = 1;

  private final Optional<Topology> everywhere;
  private final boolean hostMemory;
  private final Map<String, Topology> byMachine = new ConcurrentHashMap<>();

  /**
   * @param everywhere the topology of every machine; empty if machines report their own, or none
   * @param hostMemory whether holders keep chunks in host memory
   */
  public SiteTopology(Optional<Topology> everywhere, boolean hostMemory) {
    this.everywhere = everywhere;
    this.hostMemory = hostMemory;
  }

  /** Records the topology that a machine reported. */
  public void learn(String machine, Topology devices) {
    byMachine.put(machine, devices);
  }

  @Override
  public Topology apply(List<HolderSite> holders) {
    TopologyBuilder builder = Topology.builder(holders.size());
    Map<String, List<Integer>> machines = new LinkedHashMap<>();
    for (int holder = 0; holder < holders.size(); holder++) {
      machines.computeIfAbsent(holders.get(holder).node(), n -> new ArrayList<>()).add(holder);
    }
    machines.forEach(
        (machine, members) -> {
          link(builder, holders, members, Optional.ofNullable(byMachine.get(machine)));
          if (machines.size() > 1) {
            builder.node(members, NETWORK_BYTES_PER_SECOND);
          }
        });
    return builder.build();
  }

  private void link(
      TopologyBuilder builder,
      List<HolderSite> holders,
      List<Integer> members,
      Optional<Topology> reported) {
    Optional<Topology> known = everywhere.or(() -> reported);
    for (int from : members) {
      int device = holders.get(from).device();
      boolean listed = known.filter(devices -> device < devices.devices()).isPresent();
      builder.host(from, hostRate(listed ? known : Optional.empty(), device));
      if (listed) {
        cap(builder, from, known.orElseThrow(), device);
      }
      for (int to : members) {
        double rate = rate(listed ? known : Optional.empty(), device, holders.get(to).device());
        if (to != from && rate > 0) {
          builder.link(from, to, rate);
        }
      }
    }
    known.ifPresent(devices -> shareHostLinks(builder, holders, members, devices));
  }

  private static void cap(TopologyBuilder builder, int holder, Topology devices, int device) {
    double egress = devices.egressBytesPerSecond(device);
    double ingress = devices.ingressBytesPerSecond(device);
    if (Double.isFinite(egress)) {
      builder.egress(holder, egress);
    }
    if (Double.isFinite(ingress)) {
      builder.ingress(holder, ingress);
    }
  }

  private double hostRate(Optional<Topology> known, int device) {
    if (!hostMemory) {
      return NO_HOST;
    }
    return known.map(devices -> devices.hostBytesPerSecond(device)).orElse(MEMORY_BYTES_PER_SECOND);
  }

  /** Two processes on one device reach each other within its memory. */
  private static double rate(Optional<Topology> known, int from, int to) {
    return known
        .filter(devices -> from != to && to < devices.devices())
        .map(devices -> devices.linkBytesPerSecond(from, to))
        .orElse(MEMORY_BYTES_PER_SECOND);
  }

  private void shareHostLinks(
      TopologyBuilder builder, List<HolderSite> holders, List<Integer> members, Topology devices) {
    if (!hostMemory) {
      return;
    }
    for (SharedHostLink shared : devices.sharedHostLinks()) {
      List<Integer> behind =
          members.stream()
              .filter(holder -> shared.devices().contains(holders.get(holder).device()))
              .toList();
      if (behind.size() > 1) {
        builder.sharedHostLink(behind, shared.bytesPerSecond());
      }
    }
  }
}
