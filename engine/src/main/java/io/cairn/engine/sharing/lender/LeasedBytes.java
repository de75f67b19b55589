package io.cairn.engine.sharing.lender;

import io.cairn.cache.chunk.LentSlots;
import io.cairn.cache.chunk.Place;
import io.cairn.core.sharing.LeasedChunk;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what lies in lent slots. Not thread-safe. */
final class LeasedBytes {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedBytes.class);

  private final LentSlots lending;
  private final ByteBuffer staging;
  private final CRC32C crc = new CRC32C();

  LeasedBytes(LentSlots lending, int chunkBytes) {
    this.lending = lending;
    this.staging = ByteBuffer.allocateDirect(chunkBytes);
  }

  private ByteBuffer read(LeasedChunk held) throws IOException {
    staging.clear().limit(held.chunk().bytes());
    copy(lending, held, staging);
    return staging.rewind();
  }

  /**
   * Some bytes of a chunk, for a reader on another machine.
   *
   * @throws IOException also if they are not all the chunk's, or too many for an answer
   */
  static PeerReply.Piece piece(LentSlots lending, LeasedChunk held, ChunkSpan span)
      throws IOException {
    if (span.end() > held.chunk().bytes() || span.bytes() > PeerReply.Piece.MOST_BYTES) {
      throw new IOException(
          span + " are asked for at once, of a chunk of " + held.chunk().bytes() + " bytes");
    }
    ByteBuffer piece = ByteBuffer.allocate(span.bytes());
    Place place = lending.place(held.slot());
    place
        .engine()
        .copyToHostAsync(place.address().slice(span.offset(), span.bytes()), piece.duplicate())
        .awaitLanding();
    return new PeerReply.Piece(piece);
  }

  /** Copies a chunk to where a buffer has just room for it, and leaves its position. */
  static void copy(LentSlots lending, LeasedChunk held, ByteBuffer into) throws IOException {
    Place place = lending.place(held.slot());
    place
        .engine()
        .copyToHostAsync(place.address().slice(0, held.chunk().bytes()), into)
        .awaitLanding();
  }

  /** Which of these have the checksum that they came with, by position in their lease. */
  List<Integer> whole(List<LeasedChunk> chunks) {
    List<Integer> whole = new ArrayList<>();
    for (LeasedChunk held : chunks) {
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
}
