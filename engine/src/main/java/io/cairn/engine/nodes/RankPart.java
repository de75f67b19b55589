package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The part of a manifest that one rank published at its node. Stateless. */
final class RankPart {
  /** Of one container; the sum over those in a part fits a long. */
  static final long MOST_BYTES = 1L << 48;

  private RankPart() {}

  /**
   * The part of a rank in a store.
   *
   * @return empty if the store does not have it
   * @throws IOException if it is damaged, or cannot be read now
   */
  static Optional<CheckpointManifest> find(CheckpointStore store, CheckpointId id, int rank)
      throws IOException {
    return Inventory.find(store, id, rank).stream()
        .flatMap(stored -> stored.parts().stream())
        .filter(part -> part.ranks().equals(Set.of(rank)) && !isParity(part))
        .findFirst();
  }

  /**
   * A number, maybe negative, that spreads ranks over processes. Groups of one have rank 0 alone,
   * so the group counts, too.
   */
  static int turn(GroupId group, int rank) {
    return group.toString().hashCode() + rank;
  }

  /** Whether a manifest covers its ranks by a parity. */
  static boolean isParity(CheckpointManifest manifest) {
    return manifest.containers().stream()
        .anyMatch(container -> StoreNames.isParity(container.file()));
  }

  /**
   * Like {@link #decode}, of a part that protects all of the rank's data.
   *
   * @throws IOException also if it leans on older checkpoints
   */
  static CheckpointManifest decodeWhole(ByteBuffer text, String source) throws IOException {
    CheckpointManifest part = decode(text, source);
    if (!part.holders().isEmpty()) {
      throw new IOException(source + " leans on older checkpoints, so it is no whole copy");
    }
    return part;
  }

  /**
   * Decodes a part that another process sent, and checks the names in it.
   *
   * @param source its sender, for messages
   * @throws IOException if it is no part of one rank
   */
  static CheckpointManifest decode(ByteBuffer text, String source) throws IOException {
    byte[] bytes = new byte[text.remaining()];
    text.get(bytes);
    CheckpointManifest part = ManifestCodec.decode(bytes, source);
    if (part.ranks().size() != 1) {
      throw new IOException(source + " is of ranks " + part.ranks() + ", not of one");
    }
    for (ContainerSummary container : part.containers()) {
      if (!StoreNames.isContainer(container.file()) || container.bytes() > MOST_BYTES) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "'%s' of %d bytes is not a container",
                container.file(),
                container.bytes()));
      }
    }
    return part;
  }
}
