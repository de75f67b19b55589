package io.cairn.lab.study.schedule;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.TopologyBuilder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The members read so far. The keys come in any order, so nothing is related before all. */
final class ProblemDraft {
  /** Devices that share a host link or a network card. */
  record Group(List<Integer> devices, double bytesPerSecond) {}

  @Nullable String id;
  final Set<Key> said = EnumSet.noneOf(Key.class);
  int devices;
  long chunkBytes;
  long[] remainders = {};
  long[] spares = {};
  double[] host = {};
  double[] egress = {};
  double[] ingress = {};
  LinkList links = new LinkList();
  final List<Group> hostLinkGroups = new ArrayList<>();
  final List<Group> nodes = new ArrayList<>();

  /**
   * The problem.
   *
   * @throws IllegalArgumentException if something is missing or does not fit; it says what
   */
  FlowProblem problem() {
    return new FlowProblem(
        topology(),
        sameLength(Key.REMAINDERS, remainders),
        sameLength(Key.SPARES, spares),
        chunkBytes);
  }

  /** The topology alone; throws as {@link #problem}. */
  Topology topology() {
    TopologyBuilder builder = Topology.builder(devices);
    links.addTo(builder);
    requireLength(Key.HOST_LINKS, host.length);
    for (int device = 0; device < devices; device++) {
      builder.host(device, host[device]);
    }
    if (said.contains(Key.EGRESS)) {
      requireLength(Key.EGRESS, egress.length);
      for (int device = 0; device < devices; device++) {
        builder.egress(device, egress[device]);
      }
    }
    if (said.contains(Key.INGRESS)) {
      requireLength(Key.INGRESS, ingress.length);
      for (int device = 0; device < devices; device++) {
        builder.ingress(device, ingress[device]);
      }
    }
    hostLinkGroups.forEach(group -> builder.sharedHostLink(group.devices, group.bytesPerSecond));
    nodes.forEach(group -> builder.node(group.devices, group.bytesPerSecond));
    return builder.build();
  }

  private long[] sameLength(Key key, long[] bytes) {
    requireLength(key, bytes.length);
    return bytes;
  }

  private void requireLength(Key key, int length) {
    if (length != devices) {
      throw new IllegalArgumentException(
          key + " has " + length + " values for " + devices + " devices");
    }
  }
}
