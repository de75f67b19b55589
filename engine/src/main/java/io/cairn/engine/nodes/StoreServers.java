package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.format.StoreNames;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Other processes that write this one's checkpoints to STORE. Thread-safe. */
public interface StoreServers {
  /**
   * Has one rank's data written to STORE; waits for that.
   *
   * @param part the rank's part of the manifest, as at this node
   * @param birth of its group
   * @param givenUp whether the group gave the checkpoint up, so that nobody waits for it any more
   * @return empty if this process should write it itself, although nothing failed
   * @throws SkippedException if the group gave it up
   * @throws IOException if no server that was asked wrote it
   */
  Optional<ContainerSummary> write(CheckpointManifest part, String birth, BooleanSupplier givenUp)
      throws IOException;

  /** Groups of one have rank 0 alone, so the group counts, too, where ranks are spread. */
  static int turn(CheckpointManifest part) {
    return part.id().group().toString().hashCode() + part.ranks().iterator().next();
  }

  /**
   * Requires that a server's answer is about this rank.
   *
   * @param server for the message
   * @return the container
   */
  static ContainerSummary checked(ContainerSummary written, CheckpointManifest part, Object server)
      throws IOException {
    boolean ofRank = List.copyOf(part.ranks()).equals(written.ranks());
    if (!ofRank
        || !StoreNames.isContainer(written.file())
        || written.bytes() > RankPart.MOST_BYTES) {
      throw new IOException(server + " answers with " + written + " for ranks " + part.ranks());
    }
    return written;
  }
}
