package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.ContainerRewrite;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces bad containers at STORE by good ones, from copies at nodes. Stateless; thread-safe, also
 * beside a training, its retention, and other repairs.
 */
public final class StoreRepair {
  /*
   * No manifest is written
   * ----------------------
   * A manifest names the digest of a container's index, and the index the checksum of every chunk.
   * The new container has the same index, so the manifest stays as it is, and so do those of
   * checkpoints that lean on it. A repair therefore publishes no checkpoint: neither a later epoch
   * nor a retention meanwhile can be wronged by it. Two repairs at once write the same chunks.
   *
   * Order
   * -----
   * The good file is whole, synced and read back before it replaces the bad one in one step. A
   * store without such a step, which is a Hadoop file system other than HDFS, sets the bad one
   * aside by a rename first. Between the two renames the checkpoint lacks its container, as if it
   * were lost. A repair that ends there is completed by the next one, which takes chunks from the
   * file that was set aside as well.
   *
   * A repair that dies earlier leaves its own file. The next one of the same container deletes
   * that. If the other one is still under way it fails, with nothing changed. The file's name
   * begins with that of the container, so repairs of two parts of a rank leave each other's files
   * alone.
   *
   * Retention
   * ---------
   * If the checkpoint is deleted meanwhile, a rename finds nothing to rename. Files that a repair
   * leaves in such a directory have no manifest, and the next retention deletes them. A retention
   * that lists between the two renames finds the container missing. It spares the checkpoint if a
   * rule other than the number of the newest might keep it, and the file that was set aside if a
   * checkpoint leans on it.
   */
  private static final Logger LOG = LoggerFactory.getLogger(StoreRepair.class);
  private static final String REPAIRED = "-repaired-";
  private static final String SUFFIX = ".chunks";

  private final CheckpointStore store;
  private final List<CheckpointStore> nodes;

  /**
   * A repair of this store.
   *
   * @param store with renames; an object store has none
   * @param nodes stores with copies of the same birth of the group, the best first
   */
  public StoreRepair(CheckpointStore store, List<CheckpointStore> nodes) {
    this.store = store;
    this.nodes = List.copyOf(nodes);
  }

  /**
   * A container that was replaced.
   *
   * @param file its path in the store
   * @param fetched chunks that came from a node
   */
  public record Repaired(String file, int fetched) {}

  /**
   * Examines a container that a manifest lists, and replaces it if it is bad. Reads all of it.
   *
   * @return empty if it is good
   * @throws IOException if it is bad or cannot be read, and no whole good one could be written; the
   *     bad one keeps its name, unless the message says otherwise
   */
  public Optional<Repaired> run(CheckpointManifest manifest, ContainerSummary container)
      throws IOException {
    ContainerRewrite rewrite = rewrite(manifest, container);
    if (isGood(rewrite, container)) {
      return Optional.empty();
    }
    String good = repairsOf(container) + UUID.randomUUID() + SUFFIX;
    int fetched = write(rewrite, manifest, container, good);
    discardUnfinished(manifest, container, good);
    exchange(manifest, container, good);
    return Optional.of(new Repaired(StoreNames.file(manifest.id(), container.file()), fetched));
  }

  /** Begins the names of the files that repairs of this container write. */
  private static String repairsOf(ContainerSummary container) {
    return container.file().substring(0, container.file().length() - SUFFIX.length()) + REPAIRED;
  }

  private boolean isGood(ContainerRewrite rewrite, ContainerSummary container) {
    try {
      return rewrite.badChunks(store, container.file()) == 0;
    } catch (IOException e) {
      LOG.info("{} in {} is bad", container.file(), store.describe(), e);
      return false;
    }
  }

  /**
   * The index of a container: from the file itself, from a node's file with the same one, or from
   * the regions that a node's file names.
   */
  private ContainerRewrite rewrite(CheckpointManifest manifest, ContainerSummary container)
      throws IOException {
    for (String file : here(container)) {
      Optional<ContainerRewrite> own = ContainerRewrite.of(manifest.id(), container, store, file);
      if (own.isPresent()) {
        return own.get();
      }
    }
    IOException none =
        new IOException(
            "the index of %s is bad or cannot be read now, and no node has the same one or shows it"
                .formatted(container.file()));
    for (CheckpointStore node : nodes) {
      try {
        Optional<ContainerRewrite> same = sameIn(node, manifest.id(), container);
        if (same.isPresent()) {
          return same.get();
        }
      } catch (IOException e) {
        none.addSuppressed(e);
      }
    }
    return fromRegions(manifest, container).orElseThrow(() -> none);
  }

  /**
   * The index that follows from the regions of a node's copy, if it is the one that was written.
   */
  private Optional<ContainerRewrite> fromRegions(
      CheckpointManifest manifest, ContainerSummary container) throws IOException {
    Optional<Copy> copy = atNodes(manifest, container);
    if (copy.isEmpty()) {
      return Optional.empty();
    }
    try (Copy other = copy.get()) {
      return ContainerRewrite.of(manifest.id(), container, other.images());
    }
  }

  private Optional<Copy> atNodes(CheckpointManifest manifest, ContainerSummary container) {
    Member member = new Member(manifest.id().group(), container.ranks().get(0), manifest.size());
    List<CopySource> sources = new ArrayList<>();
    nodes.forEach(node -> sources.add(new StoreCopies(node, Level.NODE)));
    return new RestorePlanner(sources).copy(manifest.id(), member);
  }

  private static Optional<ContainerRewrite> sameIn(
      CheckpointStore node, CheckpointId id, ContainerSummary container) throws IOException {
    for (StoreEntry file : node.list(StoreNames.checkpoint(id))) {
      if (StoreNames.isContainer(file.name())) {
        Optional<ContainerRewrite> same = ContainerRewrite.of(id, container, node, file.name());
        if (same.isPresent()) {
          return same;
        }
      }
    }
    return Optional.empty();
  }

  private static List<String> here(ContainerSummary container) {
    return List.of(container.file(), StoreNames.quarantined(container.file()));
  }

  private int write(
      ContainerRewrite rewrite,
      CheckpointManifest manifest,
      ContainerSummary container,
      String good)
      throws IOException {
    Optional<Copy> copy = atNodes(manifest, container);
    if (copy.isEmpty()) {
      ChunkReader none =
          (region, chunk, into) -> {
            throw new IOException("no node has a copy of " + manifest.id().label());
          };
      return rewrite.write(store, manifest.size(), good, here(container), List.of(), none);
    }
    try (Copy other = copy.get()) {
      return rewrite.write(
          store, manifest.size(), good, here(container), other.images(), other.reader());
    }
  }

  /**
   * Deletes what repairs of the container left that ended before they gave their file its name. Not
   * before a good one is there: a person may still rename such a file.
   */
  private void discardUnfinished(
      CheckpointManifest manifest, ContainerSummary container, String good) throws IOException {
    Set<String> named =
        manifest.containers().stream().map(ContainerSummary::file).collect(Collectors.toSet());
    named.add(good);
    for (StoreEntry file : store.list(StoreNames.checkpoint(manifest.id()))) {
      String name = file.name();
      if (name.startsWith(repairsOf(container)) && !named.contains(name)) {
        LOG.info("{} of an unfinished repair in {} is deleted", name, store.describe());
        boolean unused = store.delete(StoreNames.file(manifest.id(), name));
      }
    }
  }

  /** Gives the good file the name of the bad one. */
  private void exchange(CheckpointManifest manifest, ContainerSummary container, String good)
      throws IOException {
    String name = StoreNames.file(manifest.id(), container.file());
    String aside = StoreNames.file(manifest.id(), StoreNames.quarantined(container.file()));
    String from = StoreNames.file(manifest.id(), good);
    try {
      requireNamed(manifest);
      if (store.replace(from, name)) {
        return;
      }
    } catch (IOException e) {
      discard(from, e);
      throw e;
    }
    try {
      setAside(manifest.id(), container.file());
      store.publish(from, name);
    } catch (IOException e) {
      // a failed rename may have taken effect
      putBack(aside, name, e);
      discard(from, e);
      throw e;
    }
  }

  /** A checkpoint that retention has withdrawn needs no repair. */
  private void requireNamed(CheckpointManifest manifest) throws IOException {
    boolean named =
        Inventory.list(store, manifest.id().group()).manifests().anyMatch(manifest::equals);
    if (!named) {
      throw new IOException(
          "the manifest of "
              + manifest.id().label()
              + " was deleted meanwhile, or cannot be read now: try again");
    }
  }

  /** Renames the bad file, in the place of an earlier one; nothing if it was lost. */
  private void setAside(CheckpointId id, String name) throws IOException {
    Set<String> there =
        store.list(StoreNames.checkpoint(id)).stream()
            .map(StoreEntry::name)
            .collect(Collectors.toSet());
    String aside = StoreNames.quarantined(name);
    if (there.contains(name)) {
      if (there.contains(aside)) {
        // the good file has all that could be taken from it
        store.delete(StoreNames.file(id, aside));
      }
      store.publish(StoreNames.file(id, name), StoreNames.file(id, aside));
    }
  }

  private void putBack(String aside, String name, IOException cause) {
    try {
      store.publish(aside, name);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private void discard(String path, IOException cause) {
    try {
      store.delete(path);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
