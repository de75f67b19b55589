package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.CheckpointManifest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The manifests of one group that were read before, as far as they fit. A published manifest never
 * changes, so the listing of its directory suffices: the file has the same name and length, and its
 * containers are as it says. Thread-safe; does no I/O.
 */
final class KnownManifests {
  /** The longest texts that are remembered, together. */
  static final long MOST_BYTES = 4 << 20;

  /**
   * A manifest as it was read.
   *
   * @param bytes length of its text
   */
  record Known(CheckpointManifest manifest, Digest digest, long bytes) {}

  private final Map<String, Known> byPath = new HashMap<>();
  private long bytes;

  /** Forgets everything. */
  synchronized void forget() {
    byPath.clear();
    bytes = 0;
  }

  /** The manifest at a path, if it is remembered and has this length. */
  synchronized Optional<Known> find(String path, long length) {
    return Optional.ofNullable(byPath.get(path)).filter(known -> known.bytes() == length);
  }

  /** Remembers a manifest in the place of an earlier one, if there is room. */
  synchronized void add(String path, Known read) {
    remove(path);
    if (bytes + read.bytes() <= MOST_BYTES) {
      byPath.put(path, read);
      bytes += read.bytes();
    }
  }

  private void remove(String path) {
    Known old = byPath.remove(path);
    bytes -= old == null ? 0 : old.bytes();
  }

  /** Forgets the manifests of all other checkpoints. */
  synchronized void keepOnly(Set<CheckpointId> ids) {
    byPath.values().removeIf(known -> !ids.contains(known.manifest().id()));
    bytes = byPath.values().stream().mapToLong(Known::bytes).sum();
  }
}
