package io.cairn.flush.commit;

import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Digest;
import io.cairn.flush.format.ManifestCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A checkpoint in one store, as its manifests say.
 *
 * @param id the checkpoint
 * @param size ranks of the group that wrote it
 * @param parts one manifest for the group, or one for each rank that published its part
 * @param digest of the manifest; of several parts, of the list of theirs
 * @param ancestry what its epoch descends from
 */
public record StoredCheckpoint(
    CheckpointId id, int size, List<CheckpointManifest> parts, Digest digest, Ancestry ancestry) {

  /** Copies the list. */
  public StoredCheckpoint {
    parts = List.copyOf(parts);
  }

  /** From at least one part; all of the same checkpoint, size and ancestry. */
  static StoredCheckpoint of(List<CheckpointManifest> parts) {
    CheckpointManifest first = parts.get(0);
    return new StoredCheckpoint(first.id(), first.size(), parts, digestOf(parts), first.ancestry());
  }

  private static Digest digestOf(List<CheckpointManifest> parts) {
    if (parts.size() == 1) {
      return ManifestCodec.digest(parts.get(0));
    }
    String digests =
        parts.stream().map(part -> ManifestCodec.digest(part) + "\n").collect(Collectors.joining());
    return Digest.of(digests.getBytes(StandardCharsets.US_ASCII));
  }

  /** The containers that together hold a rank's chunks here; none if the rank has none here. */
  public List<ContainerSummary> containersOf(int rank) {
    return parts.stream()
        .map(part -> part.containersOf(rank))
        .filter(containers -> !containers.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /** The digest of the manifest that covers a rank; of the whole if none does. */
  public Digest digestFor(int rank) {
    return parts.stream()
        .filter(part -> !part.containersOf(rank).isEmpty())
        .findFirst()
        .map(ManifestCodec::digest)
        .orElse(digest);
  }

  /** The ranks whose data is here, rising. */
  public Set<Integer> ranks() {
    Set<Integer> ranks = new TreeSet<>();
    parts.forEach(part -> ranks.addAll(part.ranks()));
    return ranks;
  }

  /** Whether every rank of the group has its data here: then it is sealed here. */
  public boolean coversGroup() {
    return ranks().size() == size;
  }

  /** Bytes of all containers. */
  public long bytes() {
    return parts.stream().mapToLong(CheckpointManifest::bytes).sum();
  }
}
