package io.cairn.cli;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.Parts;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.format.UnnamedContainer;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads all that a store's manifests name and collects damage; continues after each. Checkpoints
 * that do not count are read like those that do. Not thread-safe.
 */
final class Verifier {
  private final CheckpointStore store;
  private final LongConsumer progress;
  private final List<Damage> damage = new ArrayList<>();
  private final List<String> uncommitted = new ArrayList<>();

  /** The ranks that no container holds whole, or that have several. */
  private final Set<Integer> incomplete = new TreeSet<>();

  private final StagingBuffer staging = new StagingBuffer();
  private long containers;
  private long chunks;
  private long bytes;
  private long stateBytes;

  /**
   * Something that is not as it was written.
   *
   * @param checkpoint whose it is, with its group
   * @param file as users find it
   * @param offset in bytes from the start of the file; null if it concerns the whole file
   */
  record Damage(String checkpoint, String file, @Nullable Long offset, String reason) {
    @Override
    public String toString() {
      return file + (offset == null ? "" : ", offset " + offset) + ": " + reason;
    }
  }

  /**
   * A verifier.
   *
   * @param progress receives the bytes of each container when it is done
   */
  Verifier(CheckpointStore store, LongConsumer progress) {
    this.store = store;
    this.progress = progress;
  }

  /** The damage found so far. */
  List<Damage> damage() {
    return List.copyOf(damage);
  }

  /** The directories without a manifest that hold whole containers of every rank. */
  List<String> uncommitted() {
    return List.copyOf(uncommitted);
  }

  /** Containers read. */
  long containers() {
    return containers;
  }

  /** Chunks that matched their checksums. */
  long chunks() {
    return chunks;
  }

  /** Bytes of the containers that were read. */
  long bytes() {
    return bytes;
  }

  /** Bytes of those chunks as captured, which are more where chunks are compressed. */
  long stateBytes() {
    return stateBytes;
  }

  /** Reads everything of a group. */
  void verify(Inventory.Listing listing) {
    listing.checkpoints().values().forEach(this::verify);
    listing.problems().forEach(this::diagnose);
    listing
        .lost()
        .ifPresent(
            id -> add(id, StoreNames.checkpoint(id), "was sealed, and its manifest is gone"));
    listing.unfinished().forEach(this::look);
  }

  /** Reads a checkpoint's containers. */
  private void verify(StoredCheckpoint checkpoint) {
    checkpoint.parts().forEach(this::verify);
  }

  /** Finds out whether a checkpoint lacks nothing but its manifest; reads no chunk. */
  private void look(CheckpointId id) {
    try {
      Set<Integer> ranks = new TreeSet<>();
      List<String> names = new ArrayList<>();
      int size = 0;
      for (StoreEntry file : store.list(StoreNames.checkpoint(id))) {
        if (StoreNames.isContainer(file.name())) {
          UnnamedContainer container = UnnamedContainer.read(store, id, file.name());
          names.add(file.name());
          ranks.addAll(container.ranks());
          size = container.groupSize();
        }
      }
      if (size > 0 && ranks.size() == size && !Parts.isOneMissing(names)) {
        uncommitted.add(store.describe() + "/" + StoreNames.checkpoint(id));
      }
    } catch (IOException e) {
      // a container that was not finished: nothing was promised
    }
  }

  /** Finds out what exactly is wrong with a manifest that does not count. */
  private void diagnose(Inventory.Problem problem) {
    int before = damage.size();
    try {
      CheckpointManifest manifest = ManifestFile.read(store, problem.path()).require();
      if (manifest.id().equals(problem.id())) {
        verify(manifest);
      }
    } catch (FormatException e) {
      add(problem.id(), e);
    } catch (IOException e) {
      add(problem.id(), problem.path(), String.valueOf(e.getMessage()));
    }
    if (damage.size() == before) {
      add(problem.id(), problem.path(), problem.reason());
    }
  }

  /** A training deletes old checkpoints meanwhile, the manifest of each before its containers. */
  private boolean isDeleted(CheckpointId id) {
    try {
      return store.list(StoreNames.checkpoint(id)).stream()
          .noneMatch(file -> StoreNames.isManifest(file.name()));
    } catch (IOException e) {
      return false;
    }
  }

  private void verify(CheckpointManifest manifest) {
    int before = damage.size();
    incomplete.clear();
    manifest.ranks().stream()
        .filter(rank -> manifest.containersOf(rank).size() > 1)
        .forEach(incomplete::add);
    for (ContainerSummary container : manifest.containers()) {
      try {
        verify(manifest.id(), container);
      } catch (FormatException e) {
        add(manifest.id(), e);
      } catch (IOException e) {
        String path = StoreNames.file(manifest.id(), container.file());
        add(manifest.id(), path, String.valueOf(e.getMessage()));
      }
      progress.accept(container.bytes());
    }
    if (damage.size() == before) {
      incomplete.forEach(rank -> verifyWhole(manifest, rank));
    }
    if (damage.size() > before && isDeleted(manifest.id())) {
      damage.subList(before, damage.size()).clear();
    }
  }

  /** Several containers of one rank have to hold all of its chunks together. */
  private void verifyWhole(CheckpointManifest manifest, int rank) {
    try {
      RankReader.open(store, manifest.id(), rank, manifest.containersOf(rank)).close();
    } catch (FormatException e) {
      add(manifest.id(), e);
    } catch (IOException e) {
      add(manifest.id(), StoreNames.checkpoint(manifest.id()), String.valueOf(e.getMessage()));
    }
  }

  private void verify(CheckpointId id, ContainerSummary container) throws IOException {
    try (ContainerReader reader = ContainerReader.open(store, id, container)) {
      containers++;
      bytes += container.bytes();
      for (int rank : container.ranks()) {
        ContainerReader.Held held = reader.verify(rank, staging.forChunksOf(reader.images(rank)));
        chunks += held.chunks();
        stateBytes += held.bytes();
        if (held.chunks() < reader.images(rank).stream().mapToLong(RegionImage::chunks).sum()) {
          incomplete.add(rank);
        }
      }
    }
  }

  private void add(CheckpointId id, FormatException e) {
    damage.add(new Damage(id.toString(), e.file(), e.offset(), e.reason()));
  }

  private void add(CheckpointId id, String path, String reason) {
    damage.add(new Damage(id.toString(), store.describe() + "/" + path, null, reason));
  }
}
