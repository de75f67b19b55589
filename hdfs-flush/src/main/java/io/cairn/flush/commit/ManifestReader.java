package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.flush.commit.Inventory.Problem;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the manifests of checkpoints, and collects what is wrong with them. Not thread-safe. */
final class ManifestReader {
  private final CheckpointStore store;
  private final KnownManifests known;
  private final ListedFiles files;
  private final List<Problem> problems = new ArrayList<>();

  /**
   * A reader of this store.
   *
   * @param known manifests that need not be read again
   */
  ManifestReader(CheckpointStore store, KnownManifests known) {
    this.store = store;
    this.known = known;
    this.files = new ListedFiles(store);
  }

  /** The manifests that do not count so far. */
  List<Problem> problems() {
    return problems;
  }

  /**
   * The names of a checkpoint's files, in order; empty if they cannot be listed, which is a problem
   * of that checkpoint.
   *
   * @throws IOException if the group cannot be listed either
   */
  Optional<List<String>> names(CheckpointId id) throws IOException {
    try {
      return Optional.of(List.copyOf(files.of(id).keySet()));
    } catch (IOException e) {
      problems.add(passing(id, StoreNames.checkpoint(id), e));
      return Optional.empty();
    }
  }

  /**
   * Reads the manifests of one checkpoint; empty if none of them counts.
   *
   * @throws IOException if its directory cannot be listed, or the group cannot after a failure
   */
  Optional<StoredCheckpoint> read(CheckpointId id) throws IOException {
    List<CheckpointManifest> parts = new ArrayList<>();
    List<Digest> digests = new ArrayList<>();
    for (Map.Entry<String, Long> file : files.of(id).entrySet()) {
      if (StoreNames.isManifest(file.getKey())) {
        String path = StoreNames.file(id, file.getKey());
        read(id, path, file.getValue(), parts)
            .ifPresent(
                read -> {
                  parts.add(read.manifest());
                  digests.add(read.digest());
                });
      }
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(StoredCheckpoint.of(parts, digests));
  }

  private Optional<KnownManifests.Known> read(
      CheckpointId id, String path, long bytes, List<CheckpointManifest> others)
      throws IOException {
    Optional<KnownManifests.Known> before = known.find(path, bytes);
    if (before.isPresent()
        && agrees(before.get().manifest(), others)
        && isAsBefore(path, before.get().manifest())) {
      return before;
    }
    Optional<CheckpointManifest> manifest = Optional.empty();
    try {
      byte[] text = SmallFile.read(store, path, ManifestCodec.MAX_BYTES);
      CheckpointManifest part = part(id, path, text, others);
      manifest = Optional.of(part);
      files.requireContainers(path, part);
      // a manifest has exactly one text
      KnownManifests.Known read = new KnownManifests.Known(part, Digest.of(text), text.length);
      known.add(path, read);
      return Optional.of(read);
    } catch (FormatException | EOFException | NoSuchFileException e) {
      problems.add(new Problem(id, path, e, manifest, false));
    } catch (IOException e) {
      problems.add(passing(id, path, e));
    }
    return Optional.empty();
  }

  /** Whether the containers are still there; otherwise the manifest is read to find out more. */
  private boolean isAsBefore(String path, CheckpointManifest manifest) {
    try {
      files.requireContainers(path, manifest);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private CheckpointManifest part(
      CheckpointId id, String path, byte[] text, List<CheckpointManifest> others)
      throws IOException {
    String file = store.describe() + "/" + path;
    CheckpointManifest part = ManifestCodec.decode(text, file);
    if (!part.id().equals(id)) {
      throw new FormatException(file, 0, "is the manifest of " + part.id() + ", not of " + id);
    }
    if (!agrees(part, others)) {
      throw new FormatException(file, 0, "differs from another part in size or ancestry");
    }
    return part;
  }

  private static boolean agrees(CheckpointManifest part, List<CheckpointManifest> others) {
    return others.stream()
        .allMatch(other -> part.size() == other.size() && part.ancestry().equals(other.ancestry()));
  }

  /**
   * A failure that may concern this checkpoint alone.
   *
   * @throws IOException if the store answers nothing about the group either
   */
  private Problem passing(CheckpointId id, String path, IOException failure) throws IOException {
    try {
      store.list(StoreNames.group(id.group()));
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
    return new Problem(id, path, failure, Optional.empty(), true);
  }
}
