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

/** The holders that lend, what each could take by its last word, and what links them. */
final class HolderRegistry {
  /** As many as the largest topology has devices. */
  private static final int MOST_HOLDERS = 16_384;

  private record Spare(int chunks, long chunkBytes) {}

  private record Rank(GroupId group, int rank) {}

  /** What a rank on that holder was promised. */
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

  /** One too many is not taken; its ranks are told that it is not registered. */
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

  /** A rank's next checkpoint takes the place of what it was promised before. */
  void forget(Report report) {
    Rank rank = new Rank(report.member().group(), report.member().rank());
    release(promises.remove(rank));
  }

  /** Parts of receivers' spare are promised to a rank. */
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

  /** What the device's holder takes of chunks of this size. */
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
   * What links the holders that are registered now, which are its devices.
   *
   * @throws RuntimeException whatever the topology's source throws; it is asked again next time
   */
  Topology topology() {
    if (topology == null) {
      topology = linked();
    }
    return topology;
  }

  /** The holder's device in the topology that was asked for last, or -1. */
  int device(String holder) {
    return devices.getOrDefault(holder, -1);
  }

  String holder(int device) {
    return holders.get(device);
  }
}
