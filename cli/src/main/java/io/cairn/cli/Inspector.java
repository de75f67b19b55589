package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.format.ContainerScan;
import io.cairn.flush.format.ContainerScanner;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * Looks into the directory of one checkpoint, and continues after damage. Not thread-safe; of one
 * use.
 */
final class Inspector {
  private final CheckpointStore store;
  private final LongConsumer progress;
  private final List<Inspection.Manifest> manifests = new ArrayList<>();
  private final List<Inspection.Container> files = new ArrayList<>();
  private final List<String> others = new ArrayList<>();
  private final List<ContainerScan.Break> breaks = new ArrayList<>();

  /** The containers that manifests name. */
  private final Map<String, ContainerSummary> named = new LinkedHashMap<>();

  /**
   * Looks into this store.
   *
   * @param progress receives bytes of chunks as they are read
   */
  Inspector(CheckpointStore store, LongConsumer progress) {
    this.store = store;
    this.progress = progress;
  }

  /**
   * Reads the manifests of a checkpoint, and the containers among these files.
   *
   * @param files by name
   * @throws IOException if the directory cannot be listed
   */
  Inspection checkpoint(CheckpointId id, Predicate<String> files) throws IOException {
    List<String> names =
        store.list(StoreNames.checkpoint(id)).stream().map(StoreEntry::name).toList();
    for (String name : names) {
      if (StoreNames.isManifest(name)) {
        manifest(id, name);
      }
    }
    for (Map.Entry<String, ContainerSummary> entry : named.entrySet()) {
      if (files.test(entry.getKey())) {
        container(
            StoreNames.file(id, entry.getKey()),
            Optional.of(new ContainerScanner.Named(id, entry.getValue())));
      }
    }
    for (String name : names) {
      boolean known = StoreNames.isManifest(name) || named.containsKey(name);
      if (!known && files.test(name)) {
        unnamed(StoreNames.file(id, name), name);
      }
    }
    requireManifest(id);
    if (breaks.isEmpty()) {
      requireWhole(id);
    }
    return inspection(id.toString());
  }

  /** A checkpoint that was sealed had a manifest. */
  private void requireManifest(CheckpointId id) throws IOException {
    boolean sealed = new GroupMemory(store).newestSealed(id.group()).equals(Optional.of(id));
    if (manifests.isEmpty() && breaks.isEmpty() && sealed) {
      String reason = "was sealed, and its manifest is gone";
      breaks.add(new ContainerScan.Break(place(StoreNames.checkpoint(id)), 0, reason));
    }
  }

  /** Several containers of one rank have to hold all of its chunks together. */
  private void requireWhole(CheckpointId id) {
    Map<Integer, List<ContainerSummary>> ofRanks = new TreeMap<>();
    for (ContainerSummary each : named.values()) {
      each.ranks().forEach(of -> ofRanks.computeIfAbsent(of, i -> new ArrayList<>()).add(each));
    }
    ofRanks.forEach(
        (rank, containers) -> {
          try {
            RankReader.open(store, id, rank, containers).close();
          } catch (FormatException e) {
            add(e);
          } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            breaks.add(new ContainerScan.Break(place(StoreNames.checkpoint(id)), 0, reason));
          }
        });
  }

  /** Reads one file that is in no checkpoint's directory. */
  Inspection file(String name) {
    if (StoreNames.isManifest(name)) {
      manifest(name);
    } else {
      container(name, Optional.empty());
    }
    return inspection(name);
  }

  private Inspection inspection(String name) {
    return new Inspection(
        name, store.describe(), breaks.isEmpty(), manifests, files, others, breaks);
  }

  private void manifest(CheckpointId id, String name) {
    Optional<CheckpointManifest> manifest = manifest(StoreNames.file(id, name));
    if (manifest.isPresent() && !manifest.get().id().equals(id)) {
      String reason = "is the manifest of " + manifest.get().id() + ", not of " + id;
      breaks.add(new ContainerScan.Break(place(StoreNames.file(id, name)), 0, reason));
    } else if (manifest.isPresent()) {
      manifest.get().containers().forEach(each -> named.put(each.file(), each));
    }
  }

  private Optional<CheckpointManifest> manifest(String path) {
    try {
      ManifestFile read = ManifestFile.read(store, path);
      manifests.add(Inspection.Manifest.of(read));
      read.damage().ifPresent(this::add);
      return read.manifest();
    } catch (FormatException e) {
      add(e);
    } catch (IOException e) {
      breaks.add(new ContainerScan.Break(place(path), 0, String.valueOf(e.getMessage())));
    }
    return Optional.empty();
  }

  private void add(FormatException damage) {
    breaks.add(new ContainerScan.Break(damage.file(), damage.offset(), damage.reason()));
  }

  private void unnamed(String path, String name) {
    if (StoreNames.isContainer(name)) {
      container(path, Optional.empty());
    } else {
      others.add(name);
    }
  }

  private void container(String path, Optional<ContainerScanner.Named> entry) {
    try {
      ContainerScan scan = ContainerScanner.scan(store, path, entry, progress);
      files.add(
          Inspection.Container.of(
              path.substring(path.lastIndexOf('/') + 1),
              scan,
              entry.map(ContainerScanner.Named::entry).orElse(null)));
      breaks.addAll(scan.breaks());
    } catch (IOException e) {
      breaks.add(new ContainerScan.Break(place(path), 0, "cannot be opened: " + e.getMessage()));
    }
  }

  private String place(String path) {
    return store.describe() + "/" + path;
  }
}
