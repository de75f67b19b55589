package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.flow.Topology;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.PlanAnswer.PlannedLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The registered holders, the spare that each reported last, and the links between them. */
final class HolderRegistry {
  /** As many as the largest topology has devices. */
  private static final int MOST_HOLDERS = 16_384;

  private record Spare(int chunks, long chunkBytes) {
    private static final Spare NONE = new Spare(0, 1);
  }

  private record Rank(GroupId group, int rank) {}

  /** Leases planned for a rank's checkpoint on that holder. */
  private record Promise(String to, CheckpointId checkpoint, List<PlannedLease> leases) {
    int chunks() {
      return leases.stream().mapToInt(PlannedLease::chunks).sum();
    }
  }

  /** One holder; a report finds all of it with one look-up. */
  private static final class Holder {
    private HolderSite site;
    private Spare spare = Spare.NONE;

    /** Chunks of all promises on it. */
    private int promised;

    /** Its device in the last topology, or -1. */
    private int device = -1;

    private Holder(HolderSite site, int promised) {
      this.site = site;
      this.promised = promised;
    }
  }

  private final Function<List<HolderSite>, Topology> linking;
  private final Map<String, Holder> holders = new LinkedHashMap<>();
  private final Map<Rank, Promise> promises = new HashMap<>();
  private List<Holder> devices = List.of();
  private @Nullable Topology topology;

  HolderRegistry(Function<List<HolderSite>, Topology> linking) {
    this.linking = linking;
  }

  /** Ignores a holder beyond the bound; plans then name it as not registered. */
  void register(HolderSite site) {
    Holder known = holders.get(site.holder());
    if (known == null && holders.size() < MOST_HOLDERS) {
      holders.put(site.holder(), new Holder(site, promisedOn(site.holder())));
      topology = null;
    } else if (known != null && !known.site.equals(site)) {
      known.site = site;
      topology = null;
    }
  }

  /** Of one that was only silent; borrowers keep what it lends. */
  private int promisedOn(String lender) {
    return promises.values().stream()
        .flatMap(promise -> promise.leases().stream())
        .filter(planned -> planned.lender().equals(lender))
        .mapToInt(PlannedLease::chunks)
        .sum();
  }

  void remove(String holder) {
    for (Map.Entry<Rank, Promise> promise : List.copyOf(promises.entrySet())) {
      if (promise.getValue().to().equals(holder)) {
        release(promises.remove(promise.getKey()));
      }
    }
    if (holders.remove(holder) != null) {
      topology = null;
    }
  }

  void spare(String holder, int chunks, long chunkBytes) {
    Holder known = holders.get(holder);
    if (known != null) {
      known.spare = new Spare(chunks, chunkBytes);
    }
  }

  /**
   * Ends the promise of a rank that reports its next checkpoint. If it reports a part of the same
   * one again, only the promises of lenders that lend nothing any more end.
   */
  void forget(Report report) {
    Promise before = promises.remove(rank(report));
    release(before);
    if (before != null
        && before.checkpoint().equals(report.checkpoint())
        && report.remainderChunks() < before.chunks()) {
      promise(report, before.leases().stream().filter(this::lends).toList());
    }
  }

  private static Rank rank(Report report) {
    return new Rank(report.member().group(), report.member().rank());
  }

  /** Promises parts of lenders' spare to a rank, beside those that it has. */
  void promise(Report report, List<PlannedLease> leases) {
    if (!leases.isEmpty()) {
      List<PlannedLease> all = new ArrayList<>(leases);
      Promise before = promises.get(rank(report));
      if (before != null) {
        all.addAll(before.leases());
      }
      promises.put(rank(report), new Promise(report.holder(), report.checkpoint(), all));
      leases.forEach(planned -> promised(planned, planned.chunks()));
    }
  }

  private void release(@Nullable Promise promise) {
    if (promise != null) {
      promise.leases().forEach(planned -> promised(planned, -planned.chunks()));
    }
  }

  private void promised(PlannedLease planned, int chunks) {
    Holder lender = holders.get(planned.lender());
    if (lender != null) {
      lender.promised += chunks;
    }
  }

  /** Whether every lender that this answer names still lends something. */
  boolean stands(PlanAnswer.Part part) {
    return part.leases().stream().allMatch(this::lends);
  }

  private boolean lends(PlannedLease planned) {
    Holder lender = holders.get(planned.lender());
    return lender != null && lender.spare.chunks() > 0;
  }

  /** Slots of this size that the device's holder can still lend. */
  int spareChunks(int device, long chunkBytes) {
    Holder holder = devices.get(device);
    return holder.spare.chunkBytes() == chunkBytes
        ? Math.max(0, holder.spare.chunks() - holder.promised)
        : 0;
  }

  private Topology linked() {
    devices = List.copyOf(holders.values());
    for (int device = 0; device < devices.size(); device++) {
      devices.get(device).device = device;
    }
    if (devices.isEmpty()) {
      throw new IllegalStateException("no holder is registered");
    }
    Topology linked = linking.apply(devices.stream().map(holder -> holder.site).toList());
    if (linked.devices() != devices.size()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the topology has %d devices for %d holders",
              linked.devices(),
              devices.size()));
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
    Holder known = holders.get(holder);
    return known == null ? -1 : known.device;
  }

  /** The holders of the last topology, in the order of its devices. */
  List<HolderSite> sites() {
    return devices.stream().map(holder -> holder.site).toList();
  }

  String holder(int device) {
    return devices.get(device).site.holder();
  }
}
