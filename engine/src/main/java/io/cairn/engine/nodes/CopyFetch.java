package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches one rank's containers from another node. They count once every chunk was compared with
 * its checksum and the rank's part of the manifest is published. A failure leaves nothing behind.
 * Not thread-safe.
 *
 * @param from the other node
 * @param into the copies that this node keeps of one birth of a group
 * @param part the rank's part of the manifest
 * @param pace slows the reads down
 * @param staging overwritten
 */
record CopyFetch(
    ReadableStore from,
    CheckpointStore into,
    CheckpointManifest part,
    Pace pace,
    StagingBuffer staging) {
  private static final Logger LOG = LoggerFactory.getLogger(CopyFetch.class);

  /**
   * Fetches, verifies and publishes the copy, unless it is here already.
   *
   * @return whether it was fetched
   * @throws IOException if it cannot be read or written, or is damaged
   */
  boolean run() throws IOException {
    if (isHere()) {
      return false;
    }
    try {
      for (ContainerSummary container : part.containers()) {
        copy(container);
      }
      verify();
      publish();
      return true;
    } catch (IOException | RuntimeException e) {
      removeRest();
      throw e;
    }
  }

  private int rank() {
    return part.ranks().iterator().next();
  }

  private boolean isHere() throws IOException {
    Optional<StoredCheckpoint> found = Inventory.find(into, part.id(), rank());
    if (found.isPresent() && !found.get().digestFor(rank()).equals(ManifestCodec.digest(part))) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "another copy of %s, rank %d, is at %s",
              part.id(),
              rank(),
              into.describe()));
    }
    return found.isPresent();
  }

  private void copy(ContainerSummary container) throws IOException {
    String path = StoreNames.file(part.id(), container.file());
    into.delete(path); // of a fetch that this process did not survive
    try (StoreInput in = from.open(path);
        StoreOutput out = into.create(path)) {
      ByteBuffer piece =
          ByteBuffer.allocate((int) Math.min(NodeFile.PIECE_BYTES, container.bytes()));
      for (long at = 0; at < container.bytes(); at = out.position()) {
        piece.clear().limit((int) Math.min(piece.capacity(), container.bytes() - at));
        in.readFully(at, piece);
        out.write(piece.flip());
        pace.passed(piece.limit());
      }
    }
  }

  /** Reads what was written, since only that will be restored. */
  private void verify() throws IOException {
    ByteBuffer chunk;
    try (RankReader whole = RankReader.open(into, part.id(), rank(), part.containers())) {
      chunk = staging.forChunksOf(whole.images());
    }
    for (ContainerSummary container : part.containers()) {
      try (ContainerReader reader = ContainerReader.open(into, part.id(), container)) {
        reader.verify(rank(), chunk);
      }
    }
  }

  private void publish() throws IOException {
    CommitOutcome outcome = new ManifestCommit(into).commit(part, StoreNames.manifestPart(rank()));
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException("manifest at " + into.describe() + ": " + outcome);
    }
  }

  private void removeRest() {
    try {
      into.delete(StoreNames.file(part.id(), StoreNames.manifestPart(rank())));
      for (ContainerSummary container : part.containers()) {
        into.delete(StoreNames.file(part.id(), container.file()));
      }
    } catch (IOException e) {
      LOG.warn("The rest of a copy of {} stays at {}", part.id(), into.describe(), e);
    }
  }
}
