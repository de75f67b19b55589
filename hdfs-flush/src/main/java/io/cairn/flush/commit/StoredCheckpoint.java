package io.cairn.flush.commit;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Digest;
import io.cairn.core.model.Fingerprint;
import io.cairn.flush.format.ManifestCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A checkpoint in one store, as described by its manifests.
 *
 * @param id the checkpoint
 * @param size ranks of the group that wrote it
 * @param parts one manifest for the group, or one for each rank that published its part
 * @param ancestry ancestry of its epoch
 */
public record StoredCheckpoint(
    CheckpointId id, int size, List<CheckpointManifest> parts, Ancestry ancestry) {

  /** Copies the list. */
  public StoredCheckpoint {
    parts = List.copyOf(parts);
  }

  /** Combines at least one part; all have the same checkpoint, size and ancestry. */
  static StoredCheckpoint of(List<CheckpointManifest> parts) {
    CheckpointManifest first = parts.get(0);
    return new StoredCheckpoint(first.id(), first.size(), parts, first.ancestry());
  }

  /**
   * The digest of the manifest; for several parts, the digest of the list of their digests.
   * Computed by each call.
   */
  public Digest digest() {
    if (parts.size() == 1) {
      return ManifestCodec.digest(parts.get(0));
    }
    String digests =
        parts.stream().map(part -> ManifestCodec.digest(part) + "\n").collect(Collectors.joining());
    return Digest.of(digests.getBytes(StandardCharsets.US_ASCII));
  }

  /** The containers that together hold a rank's chunks here; empty if the rank has none here. */
  public List<ContainerSummary> containersOf(int rank) {
    return parts.stream()
        .map(part -> part.containersOf(rank))
        .filter(containers -> !containers.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /** The program that wrote a rank's data here; empty if that is not known. */
  public Fingerprint fingerprintOf(int rank) {
    return parts.stream()
        .map(part -> part.fingerprintOf(rank))
        .filter(program -> !program.isEmpty())
        .findFirst()
        .orElse(Fingerprint.NONE);
  }

  /** The digest of the manifest that covers a rank; {@link #digest} if none does. */
  public Digest digestFor(int rank) {
    return parts.stream()
        .filter(part -> !part.containersOf(rank).isEmpty())
        .findFirst()
        .map(ManifestCodec::digest)
        .orElseGet(this::digest);
  }

  /** The ranks with data here, in ascending order. */
  public Set<Integer> ranks() {
    Set<Integer> ranks = new TreeSet<>();
    parts.forEach(part -> ranks.addAll(part.ranks()));
    return ranks;
  }

  /** Whether every rank of the group has its data here, so that the checkpoint is sealed here. */
  public boolean coversGroup() {
    return ranks().size() == size;
  }

  /** Length of all containers, in bytes. */
  public long bytes() {
    return parts.stream().mapToLong(CheckpointManifest::bytes).sum();
  }
}
