package io.cairn.engine.sharing;

import io.cairn.cache.chunk.Place;
import io.cairn.cache.chunk.SlotLending;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import io.cairn.core.sharing.HeldChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what lies in lent slots. Not thread-safe. */
final class HeldBytes {
  private static final Logger LOG = LoggerFactory.getLogger(HeldBytes.class);

  private final SlotLending lending;
  private final ByteBuffer staging;
  private final CRC32C crc = new CRC32C();

  HeldBytes(SlotLending lending, int chunkBytes) {
    this.lending = lending;
    this.staging = ByteBuffer.allocateDirect(chunkBytes);
  }

  /** The bytes of a chunk, until the next call. */
  ByteBuffer read(HeldChunk held) throws IOException {
    staging.clear().limit(held.chunk().bytes());
    copy(held, staging);
    return staging.rewind();
  }

  private void copy(HeldChunk held, ByteBuffer into) throws IOException {
    Place place = lending.place(held.slot());
    place
        .engine()
        .copyToHostAsync(place.address().slice(0, held.chunk().bytes()), into)
        .awaitLanding();
  }

  /** Which of these have the checksum that they came with, by position in their lease. */
  List<Integer> whole(List<HeldChunk> chunks) {
    List<Integer> whole = new ArrayList<>();
    for (HeldChunk held : chunks) {
      try {
        crc.reset();
        crc.update(read(held));
        if ((int) crc.getValue() == held.chunk().checksum()) {
          whole.add(held.chunk().position());
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("Chunk {} cannot be read, so it is not held: {}", held, e.toString());
      }
    }
    return whole;
  }

  /** Reads chunks by region, of the ones that are held. */
  ChunkReader reader(List<RegionImage> images, List<HeldChunk> chunks) {
    Map<Integer, HeldChunk> byNumber = new HashMap<>();
    chunks.forEach(held -> byNumber.put(held.chunk().chunk(), held));
    return (region, chunk, into) -> {
      HeldChunk held = byNumber.get(number(images, region, chunk));
      if (held == null) {
        throw new IOException("chunk " + chunk + " of region " + region + " is not held here");
      }
      into.put(read(held));
    };
  }

  /** A chunk's number in its rank's checkpoint. */
  static int number(List<RegionImage> images, int region, int chunk) {
    int number = chunk;
    for (int before = 0; before < region; before++) {
      number += images.get(before).chunks();
    }
    return number;
  }
}
