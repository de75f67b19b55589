package io.cairn.core.sharing;

import io.cairn.core.flow.Topology;
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

  private final Function<List<HolderSite>, Topology> linking;
  private final Map<String, HolderSite> sites = new LinkedHashMap<>();
  private final Map<String, Spare> spares = new HashMap<>();
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
    if (sites.remove(holder) != null) {
      topology = null;
    }
  }

  void spare(String holder, int chunks, long chunkBytes) {
    if (sites.containsKey(holder)) {
      spares.put(holder, new Spare(chunks, chunkBytes));
    }
  }

  /** Part of its spare is promised. */
  void uses(int device, int chunks) {
    spares.computeIfPresent(
        holders.get(device),
        (holder, spare) -> new Spare(Math.max(0, spare.chunks() - chunks), spare.chunkBytes()));
  }

  /** What the device's holder takes of chunks of this size. */
  int spareChunks(int device, long chunkBytes) {
    @Nullable Spare spare = spares.get(holders.get(device));
    return spare == null || spare.chunkBytes() != chunkBytes ? 0 : spare.chunks();
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
