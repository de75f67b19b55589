package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.format.Base;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Leaning;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Writes checkpoints of one rank with given contents, each leaning on the one before. */
final class LayeredStates {
  /** Length of a chunk, in bytes. */
  static final int CHUNK = 64;

  private final CheckpointStore store;
  private final SortedMap<String, byte[]> regions = new TreeMap<>();
  private Fingerprint program = Fingerprint.NONE;
  private Optional<Base> base = Optional.empty();
  private Ancestry ancestry = Ancestry.NONE;
  private int chunkBytes = CHUNK;

  LayeredStates(CheckpointStore store) {
    this.store = store;
  }

  /** Sets a region of floats, in the order of this machine. */
  LayeredStates floats(String name, float... values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.nativeOrder());
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes(name, bytes.array());
  }

  /** Sets a region. */
  LayeredStates bytes(String name, byte[] content) {
    regions.put(name, content.clone());
    return this;
  }

  /** Later checkpoints lack a region. */
  LayeredStates without(String name) {
    regions.remove(name);
    return this;
  }

  /** Later checkpoints are of this program. */
  LayeredStates writtenBy(Fingerprint other) {
    program = other;
    return this;
  }

  /** Later checkpoints descend so. */
  LayeredStates descending(Ancestry from) {
    ancestry = from;
    return this;
  }

  /** Later checkpoints have longer or shorter chunks, and lean on none that is here. */
  LayeredStates inChunksOf(int bytes) {
    chunkBytes = bytes;
    base = Optional.empty();
    return this;
  }

  /** Writes and commits the regions as they are now. */
  CheckpointId write(CheckpointId id) throws IOException {
    List<byte[]> contents = new ArrayList<>(regions.values());
    List<RegionImage> images = new ArrayList<>();
    regions.forEach((name, content) -> images.add(image(name, content)));
    ChunkReader reader =
        (region, chunk, into) ->
            into.put(
                contents.get(region), chunk * chunkBytes, images.get(region).chunkLength(chunk));
    Base written =
        new ContainerWriter(chunkBytes)
            .write(
                store,
                id,
                1,
                new RankChunks(0, images, reader),
                StoreNames.container(0),
                new Leaning(base, 8));
    base = Optional.of(written);
    ContainerSummary container = written.containers().get(0).writtenBy(program);
    CheckpointManifest manifest =
        new CheckpointManifest(
            id, 1, Optional.empty(), ancestry, "n" + id.label(), List.of(container));
    assertThat(new ManifestCommit(store).commit(manifest, StoreNames.MANIFEST))
        .isInstanceOf(CommitOutcome.Committed.class);
    return id;
  }

  private RegionImage image(String name, byte[] content) {
    int[] checksums = new int[RegionImage.chunks(content.length, chunkBytes)];
    for (int chunk = 0; chunk < checksums.length; chunk++) {
      CRC32C crc = new CRC32C();
      int at = chunk * chunkBytes;
      crc.update(content, at, Math.min(chunkBytes, content.length - at));
      checksums[chunk] = (int) crc.getValue();
    }
    return new RegionImage(name, content.length, chunkBytes, checksums);
  }
}
