package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.SharedHostLink;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.TopologyBuilder;
import io.cairn.core.flow.topology.Presets;
import io.cairn.lab.study.throttle.LinkTable;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A DGX-1 with V100 as this machine plays it: devices from the first on, chunks of fewer bytes, and
 * links so slow that copies show nothing but the links.
 *
 * @param devices 1 to 8
 * @param chunkBytes what stands for a chunk of 1 MB; a multiple of 8
 * @param slowdown how many times longer everything takes
 */
record PlayedMachine(int devices, int chunkBytes, double slowdown) {
  /** Bytes of a chunk of what is played. */
  static final long REAL_CHUNK_BYTES = 1_000_000;

  private static final Topology REAL = Presets.dgx1V100().topology();

  /** The first so many devices, at the rates of what is played. */
  static Topology real(int devices) {
    return links(devices, 1);
  }

  /** Its devices, as slow as they are here. */
  Topology topology() {
    return links(devices, rateScale());
  }

  /** The factor of all rates. */
  double rateScale() {
    return (double) chunkBytes / REAL_CHUNK_BYTES / slowdown;
  }

  /** Its links, as they are declared. */
  LinkTable table() {
    return LinkTable.of(topology(), 1);
  }

  /** The most that all links together carry per second. */
  double bytesPerSecond() {
    LinkTable table = table();
    return IntStream.range(0, table.stretches())
        .mapToDouble(table::bytesPerSecond)
        .filter(Double::isFinite)
        .sum();
  }

  /** The played size of so many bytes: in as many chunks, the last as short in proportion. */
  long played(long realBytes) {
    return (Math.multiplyExact(realBytes, (long) chunkBytes) + REAL_CHUNK_BYTES - 1)
        / REAL_CHUNK_BYTES;
  }

  private static Topology links(int devices, double scale) {
    TopologyBuilder builder = Topology.builder(devices);
    for (int from = 0; from < devices; from++) {
      builder.host(from, REAL.hostBytesPerSecond(from) * scale);
      for (int to = 0; to < devices; to++) {
        double rate = from == to ? 0 : REAL.linkBytesPerSecond(from, to);
        if (rate > 0) {
          builder.link(from, to, rate * scale);
        }
      }
    }
    for (SharedHostLink shared : REAL.sharedHostLinks()) {
      List<Integer> behind = shared.devices().stream().filter(device -> device < devices).toList();
      if (!behind.isEmpty()) {
        builder.sharedHostLink(behind, shared.bytesPerSecond() * scale);
      }
    }
    return builder.build();
  }
}
