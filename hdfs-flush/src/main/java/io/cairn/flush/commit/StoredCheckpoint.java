package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
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
 * @param digests of the parts, in their order
 * @param ancestry ancestry of its epoch
 */
public record StoredCheckpoint(
    CheckpointId id,
    int size,
    List<CheckpointManifest> parts,
    List<Digest> digests,
    Ancestry ancestry) {

  /** Copies the lists. */
  public StoredCheckpoint {
    parts = List.copyOf(parts);
    digests = List.copyOf(digests);
  }

  /** Combines at least one part; all have the same checkpoint, size and ancestry. */
  static StoredCheckpoint of(List<CheckpointManifest> parts, List<Digest> digests) {
    CheckpointManifest first = parts.get(0);
    return new StoredCheckpoint(first.id(), first.size(), parts, digests, first.ancestry());
  }

  /** The digest of the manifest; for several parts, the digest of the list of their digests. */
  public Digest digest() {
    if (digests.size() == 1) {
      return digests.get(0);
    }
    String list = digests.stream().map(digest -> digest + "\n").collect(Collectors.joining());
    return Digest.of(list.getBytes(StandardCharsets.US_ASCII));
  }

  /** The containers that together hold a rank's chunks here; empty if the rank has none here. */
  public List<ContainerSummary> containersOf(int rank) {
    return parts.stream()
        .map(part -> part.containersOf(rank))
        .filter(containers -> !containers.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  /** The facts about the checkpoint that its group knows; at NODE those of rank 0's part. */
  public CheckpointFacts facts() {
    return CheckpointFacts.of(ContainerSummary.program(containersOf(0)));
  }

  /** The digest of the manifest that covers a rank; {@link #digest} if none does. */
  public Digest digestFor(int rank) {
    for (int part = 0; part < parts.size(); part++) {
      if (!parts.get(part).containersOf(rank).isEmpty()) {
        return digests.get(part);
      }
    }
    return digest();
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
