package io.cairn.lab.study.schedule;

import io.cairn.cli.picture.Canvas.Spot;
import io.cairn.core.flow.ClusterNode;
import io.cairn.core.flow.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the parts of a topology stand in a picture: a ring of devices per machine, its host among
 * them so that no straight line between two passes a third; eight devices in the cube mesh of a
 * DGX-1 as two squares around the host. Machines stand in a grid. Immutable.
 */
final class TopologyLayout {
  /** A machine's outline. */
  record Frame(double left, double top, double width, double height) {}

  private static final double GAP = 26;
  private static final double MARGIN = 34;

  /** Machines beside each other are not level, so that no line between two runs along a third. */
  private static final double STAGGER = 48;

  private static final double LEAST_RING = 230;

  /** Outer corners lie further up and down than inner ones, so that every link can be seen. */
  private static final double[][] CUBE_MESH = {
    {.32, .1}, {0, 0}, {.32, .9}, {0, 1}, {.68, .1}, {1, 0}, {.68, .9}, {1, 1}
  };

  private static final double MESH_WIDTH = 620;
  private static final double MESH_HEIGHT = 400;

  private final Spot[] devices;
  private final List<Spot> hosts = new ArrayList<>();
  private final int[] machineOf;
  private final List<Frame> frames = new ArrayList<>();
  private final double radius;
  private final double least;
  private double bottom;
  private double right;

  /**
   * Places a topology.
   *
   * @param top the height that stays free above it
   * @param leastWidth in whose middle a single small machine stands
   */
  TopologyLayout(Topology topology, double top, double leastWidth) {
    devices = new Spot[topology.devices()];
    machineOf = new int[topology.devices()];
    List<List<Integer>> machines = machines(topology);
    int largest = machines.stream().mapToInt(List::size).max().orElse(1);
    radius = largest <= 16 ? 31 : largest <= 48 ? 20 : 12;
    int columns = (int) Math.ceil(Math.sqrt(machines.size()));
    least = machines.size() == 1 ? leastWidth : 0;
    double left = 0;
    double y = top;
    for (int machine = 0; machine < machines.size(); machine++) {
      if (machine % columns == 0) {
        left = 0;
        y = Math.max(y, bottom);
      }
      double shift = machine % columns % 2 == 0 ? 0 : STAGGER;
      Frame frame = place(topology, machines.get(machine), machine, left, y + shift);
      frames.add(frame);
      left += frame.width;
      right = Math.max(right, left);
      bottom = Math.max(bottom, frame.top + frame.height);
    }
  }

  /** Devices of a machine; those of no node make one together. */
  private static List<List<Integer>> machines(Topology topology) {
    List<List<Integer>> machines =
        new ArrayList<>(topology.nodes().stream().map(ClusterNode::devices).toList());
    List<Integer> others =
        IntStream.range(0, topology.devices()).filter(d -> topology.nodeOf(d) < 0).boxed().toList();
    if (!others.isEmpty()) {
      machines.add(others);
    }
    return machines;
  }

  private Frame place(
      Topology topology, List<Integer> members, int machine, double left, double top) {
    members.forEach(device -> machineOf[device] = machine);
    double inset = radius + MARGIN;
    if (isCubeMesh(topology, members)) {
      for (int corner = 0; corner < members.size(); corner++) {
        devices[members.get(corner)] =
            new Spot(
                left + inset + CUBE_MESH[corner][0] * MESH_WIDTH,
                top + inset + CUBE_MESH[corner][1] * MESH_HEIGHT);
      }
      hosts.add(new Spot(left + inset + MESH_WIDTH / 2, top + inset + MESH_HEIGHT / 2));
      return new Frame(left, top, MESH_WIDTH + 2 * inset, MESH_HEIGHT + 2 * inset);
    }
    int places = members.size() + 1;
    double ring = Math.max(LEAST_RING, places * (2 * radius + GAP) / (2 * Math.PI));
    double width = Math.max(least, 2 * (ring + inset));
    Spot centre = new Spot(left + width / 2, top + inset + ring);
    hosts.add(onRing(centre, ring, 0, places));
    for (int place = 1; place < places; place++) {
      devices[members.get(place - 1)] = onRing(centre, ring, place, places);
    }
    return new Frame(left, top, width, 2 * (ring + inset));
  }

  /** Clockwise from the bottom. */
  private static Spot onRing(Spot centre, double ring, int place, int places) {
    double angle = Math.PI / 2 + 2 * Math.PI * place / places;
    return new Spot(centre.x() + ring * Math.cos(angle), centre.y() + ring * Math.sin(angle));
  }

  /** Two full squares, and a link from each corner to its like. */
  private static boolean isCubeMesh(Topology topology, List<Integer> members) {
    if (members.size() != CUBE_MESH.length) {
      return false;
    }
    for (int from = 0; from < 8; from++) {
      for (int to = 0; to < 8; to++) {
        boolean meshed = from != to && (from / 4 == to / 4 || from % 4 == to % 4);
        boolean linked = topology.linkBytesPerSecond(members.get(from), members.get(to)) > 0;
        if (meshed != linked) {
          return false;
        }
      }
    }
    return true;
  }

  /** Centre of a device. */
  Spot device(int device) {
    return devices[device];
  }

  /** Centre of the host of a device. */
  Spot hostOf(int device) {
    return hosts.get(machineOf[device]);
  }

  /** Centre of every host. */
  List<Spot> hosts() {
    return List.copyOf(hosts);
  }

  /** The machines, the nodes of the topology first. */
  List<Frame> frames() {
    return List.copyOf(frames);
  }

  /** Radius of a device. */
  double radius() {
    return radius;
  }

  /** Where the placement ends. */
  Spot end() {
    return new Spot(right, bottom);
  }
}
