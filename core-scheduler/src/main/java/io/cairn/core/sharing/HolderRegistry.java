package io.cairn.core.sharing;

import io.cairn.core.flow.Topology;
import io.cairn.core.model.GroupId;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer.PlannedLease;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The registered holders, the spare that each reported last, and the links between them. */
final class HolderRegistry {
  /** As many as the largest topology has devices. */
  private static final int MOST_HOLDERS = 16_384;

  private record Spare(int chunks, long chunkBytes) {}

  private record Rank(GroupId group, int rank) {}

  /** Leases planned for a rank on that holder. */
  private record Promise(String to, List<PlannedLease> leases) {}

  private final Function<List<HolderSite>, Topology> linking;
  private final Map<String, HolderSite> sites = new LinkedHashMap<>();
  private final Map<String, Spare> spares = new HashMap<>();
  private final Map<Rank, Promise> promises = new HashMap<>();

  /** Chunks by receiver, of all promises. */
  private final Map<String, Integer> promised = new HashMap<>();

  private final Map<String, Integer> devices = new HashMap<>();
  private List<String> holders = List.of();
  private @Nullable Topology topology;

  HolderRegistry(Function<List<HolderSite>, Topology> linking) {
    this.linking = linking;
  }

  /** Ignores a holder beyond the bound; plans then name it as not registered. */
  void register(HolderSite site) {
    if (sites.size() >= MOST_HOLDERS && !sites.containsKey(site.holder())) {
      return;
    }
    if (!site.equals(sites.put(site.holder(), site))) {
      topology = null;
    }
  }

  void remove(String holder) {
    spares.remove(holder);
    for (Map.Entry<Rank, Promise> promise : List.copyOf(promises.entrySet())) {
      if (promise.getValue().to().equals(holder)) {
        release(promises.remove(promise.getKey()));
      }
    }
    promised.remove(holder);
    if (sites.remove(holder) != null) {
      topology = null;
    }
  }

  void spare(String holder, int chunks, long chunkBytes) {
    if (sites.containsKey(holder)) {
      spares.put(holder, new Spare(chunks, chunkBytes));
    }
  }

  /** Ends the promise of a rank, since it reports its next checkpoint. */
  void forget(Report report) {
    Rank rank = new Rank(report.member().group(), report.member().rank());
    release(promises.remove(rank));
  }

  /** Promises parts of lenders' spare to a rank. */
  void promise(Report report, List<PlannedLease> leases) {
    if (!leases.isEmpty()) {
      Rank rank = new Rank(report.member().group(), report.member().rank());
      promises.put(rank, new Promise(report.holder(), leases));
      leases.forEach(planned -> promised.merge(planned.lender(), planned.chunks(), Integer::sum));
    }
  }

  private void release(@Nullable Promise promise) {
    if (promise != null) {
      for (PlannedLease planned : promise.leases()) {
        promised.computeIfPresent(
            planned.lender(),
            (holder, chunks) -> chunks > planned.chunks() ? chunks - planned.chunks() : null);
      }
    }
  }

  /** Slots of this size that the device's holder can still lend. */
  int spareChunks(int device, long chunkBytes) {
    @Nullable Spare spare = spares.get(holders.get(device));
    if (spare == null || spare.chunkBytes() != chunkBytes) {
      return 0;
    }
    return Math.max(0, spare.chunks() - promised.getOrDefault(holders.get(device), 0));
  }

  private Topology linked() {
    holders = List.copyOf(sites.keySet());
    devices.clear();
    for (String holder : holders) {
      devices.put(holder, devices.size());
    }
    if (holders.isEmpty()) {
      throw new IllegalStateException("no holder is registered");
    }
    Topology linked = linking.apply(List.copyOf(sites.values()));
    if (linked.devices() != sites.size()) {
      throw new IllegalStateException(
          "the topology has %d devices for %d holders".formatted(linked.devices(), sites.size()));
    }
    return linked;
  }

  /**
   * Links between the registered holders, which are the devices of the topology.
   *
   * @throws RuntimeException from the topology's source; the next call tries again
   */
  Topology topology() {
    if (topology == null) {
      topology = linked();
    }
    return topology;
  }

  /** The holder's device in the last topology, or -1. */
  int device(String holder) {
    return devices.getOrDefault(holder, -1);
  }

  String holder(int device) {
    return holders.get(device);
  }
}
