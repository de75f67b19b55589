package io.cairn.lab.bench.adjoint;

import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryPeers;
import io.cairn.adjoint.history.HistoryPlaces;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.history.RegionSet;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.cli.Units;
import io.cairn.core.flow.Topology;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.measure.SideBySide;
import io.cairn.lab.study.simulate.Trace;
import io.cairn.lab.study.simulate.Traces;
import io.cairn.lab.study.throttle.LinkBookings;
import io.cairn.lab.study.throttle.LinkTable;
import io.cairn.lab.study.throttle.ThrottledLinks;
import io.cairn.lab.study.throttle.ThrottledMemory;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Four ranks with the sizes of the wave's packed slabs. Each has a device cache and host memory
 * behind a slow link. With sharing, those with small slabs lend room to those with large ones. No
 * rank computes, so the time of the slowest is its waiting.
 */
final class SharingBenchmark {
  private static final int LEAST_PERCENT = 10;
  private static final int MOST_PERCENT = 90;
  private static final int[] CACHE_PERCENT = {LEAST_PERCENT, 50, MOST_PERCENT};
  private static final double HOST_BYTES_PER_SECOND = 40e6;
  private static final double PEER_BYTES_PER_SECOND = 80e6;
  private static final int CHUNK_BYTES = 4 << 10;

  /** Sizes grow by this factor, so that transfers outweigh the overhead of a slowed link. */
  private static final int SCALE = 16;

  private final Scratch scratch;
  private final Trace trace;
  private final int rounds;
  private int runs;

  SharingBenchmark(Scratch scratch, int rounds) throws IOException {
    this.scratch = scratch;
    this.rounds = rounds;
    try (InputStream in =
        Objects.requireNonNull(SharingBenchmark.class.getResourceAsStream("wave-slab4.csv"))) {
      trace = Traces.read("wave-slab4.csv", in, "bytes");
    }
  }

  void measure(BenchReport report) throws IOException {
    FigureTable table =
        report.table(
            "four ranks of unequal sizes, with a cache of so much of the mean: the slowest rank's"
                + " time, with host memory below each cache, and with memory of peers, too; medians"
                + " of "
                + Units.count(rounds, "round"));
    for (int percent : CACHE_PERCENT) {
      SideBySide ways =
          new SideBySide()
              .way("local", () -> run(percent, false))
              .way("shared", () -> run(percent, true))
              .run(rounds);
      table
          .row()
          .add("cache %", percent)
          .add("local only ms", ways.median("local"))
          .add("shared ms", ways.median("shared"))
          .add("gain", ways.ratio("local", "shared"));
      if (percent == LEAST_PERCENT) {
        report.atMost("sharing with 10 %: shared / local", ways.ratio("shared", "local"), 1.05);
      } else if (percent == MOST_PERCENT) {
        report.atLeast("sharing with 90 %: local / shared", ways.ratio("local", "shared"), 1.5);
      }
    }
  }

  private long bytes(int step, int rank) {
    return SCALE * trace.bytes(step, rank);
  }

  private long total(int rank) {
    long total = 0;
    for (int step = 0; step < trace.snapshots(); step++) {
      // A state takes whole chunks.
      total += (bytes(step, rank) + CHUNK_BYTES - 1) / CHUNK_BYTES * CHUNK_BYTES;
    }
    return total;
  }

  /** The slowest rank's milliseconds in stores and restores. */
  private double run(int percent, boolean shares) throws IOException {
    int ranks = trace.ranks();
    long all = 0;
    for (int rank = 0; rank < ranks; rank++) {
      all += total(rank);
    }
    long cacheBytes = all / ranks * percent / 100 / CHUNK_BYTES * CHUNK_BYTES;
    Topology topology = Topology.uniform(ranks, PEER_BYTES_PER_SECOND, HOST_BYTES_PER_SECOND);
    LinkTable table = LinkTable.of(topology, 1);
    ThrottledLinks links = new ThrottledLinks(table, LinkBookings.ofThisProcess(table.stretches()));
    HistoryPeers peers = new HistoryPeers(topology);
    CyclicBarrier barrier = new CyclicBarrier(ranks);
    ExecutorService threads = Executors.newFixedThreadPool(ranks);
    try (Devices devices = new Devices(links, ranks, cacheBytes)) {
      List<Future<Double>> times = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        int number = rank;
        HistoryPlaces own =
            HistoryPlaces.on(devices.caches.get(rank))
                .withHost(devices.hosts.get(rank), total(rank));
        HistoryPlaces places = shares ? own.withPeers(peers, rank) : own;
        times.add(threads.submit(() -> rank(places, number, cacheBytes, barrier)));
      }
      List<Double> millis = new ArrayList<>();
      for (Future<Double> time : times) {
        millis.add(time.get());
      }
      return Collections.max(millis);
    } catch (InterruptedException | ExecutionException e) {
      throw new IOException("a rank of the sharing benchmark failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private double rank(HistoryPlaces places, int rank, long cacheBytes, CyclicBarrier barrier)
      throws Exception {
    int steps = trace.snapshots();
    byte[] slab = new byte[(int) largest(rank)];
    int[] length = {0};
    HistorySettings settings =
        new HistorySettings(cacheBytes, CHUNK_BYTES, scratch.inMemory(name("states", rank)), 0);
    try (History history = History.open(places, settings)) {
      RegionSet regions = history.regions();
      regions.protect(Region.of("slab", slab), () -> length[0]);
      history.expect(steps, total(rank) / steps);
      barrier.await();
      long start = System.nanoTime();
      for (int step = 0; step < steps; step++) {
        length[0] = (int) bytes(step, rank);
        slab[length[0] - 1] = (byte) step;
        history.store(step, regions);
      }
      for (int step = steps - 1; step >= 0; step--) {
        length[0] = (int) bytes(step, rank);
        history.restore(step, regions, true);
        if (slab[length[0] - 1] != (byte) step) {
          throw new IllegalStateException("step " + step + " came back with other bytes");
        }
      }
      double millis = (System.nanoTime() - start) / 1e6;
      barrier.await();
      return millis;
    }
  }

  private long largest(int rank) {
    long largest = 0;
    for (int step = 0; step < trace.snapshots(); step++) {
      largest = Math.max(largest, bytes(step, rank));
    }
    return largest;
  }

  private String name(String of, int rank) {
    return "sharing/" + of + "-" + runs + "-" + rank;
  }

  /** Slowed memory of all ranks. */
  private final class Devices implements AutoCloseable {
    final List<DeviceMemory> caches = new ArrayList<>();
    final List<DeviceMemory> hosts = new ArrayList<>();

    Devices(ThrottledLinks links, int ranks, long cacheBytes) throws IOException {
      runs++;
      for (int rank = 0; rank < ranks; rank++) {
        caches.add(ThrottledMemory.device(shared("cache", rank, cacheBytes), rank, links));
        hosts.add(ThrottledMemory.hostBothWays(shared("host", rank, total(rank)), rank, links));
      }
    }

    private DeviceMemory shared(String of, int rank, long bytes) throws IOException {
      return SharedMemoryDevice.open(
          scratch.inMemory(name(of, rank)), scratch.onDisk(name(of, rank)), bytes + (1 << 20));
    }

    @Override
    public void close() {
      caches.forEach(DeviceMemory::close);
      hosts.forEach(DeviceMemory::close);
    }
  }
}
