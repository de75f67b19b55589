package io.cairn.engine.sharing.lender;

import io.cairn.cache.chunk.LentSlots;
import io.cairn.cache.chunk.Place;
import io.cairn.core.model.ChunkReader.Reading;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.sharing.LeasedChunk;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and verifies chunks in lent slots. Not thread-safe. */
final class LeasedBytes {
  private static final Logger LOG = LoggerFactory.getLogger(LeasedBytes.class);

  private final LentSlots lending;
  private final ReadAhead ahead;
  private final CRC32C crc = new CRC32C();

  LeasedBytes(LentSlots lending, int chunkBytes) {
    this.lending = lending;
    this.ahead = new ReadAhead(ByteBuffer.allocateDirect(chunkBytes));
  }

  /**
   * Reads a part of a chunk, for a reader on another machine.
   *
   * @throws IOException also if the span exceeds the chunk, or is too long for an answer
   */
  static PeerReply.Piece piece(LentSlots lending, LeasedChunk held, ChunkSpan span)
      throws IOException {
    if (span.end() > held.chunk().bytes() || span.bytes() > PeerReply.Piece.MOST_BYTES) {
      throw new IOException(
          span + " exceeds an answer, or the chunk of " + held.chunk().bytes() + " bytes");
    }
    ByteBuffer piece = ByteBuffer.allocate(span.bytes());
    Place place = lending.place(held.slot());
    place
        .engine()
        .copyToHostAsync(place.address().slice(span.offset(), span.bytes()), piece.duplicate())
        .awaitLanding();
    return new PeerReply.Piece(piece);
  }

  /** Starts to read a chunk, as {@link io.cairn.core.model.ChunkReader#start} does. */
  static Reading start(LentSlots lending, LeasedChunk held, ByteBuffer into) throws IOException {
    return lending.place(held.slot()).read(held.chunk().bytes(), into);
  }

  /** Positions of the chunks that have their checksum. */
  List<Integer> whole(List<LeasedChunk> chunks) {
    List<Integer> whole = new ArrayList<>();
    try {
      ahead.forEach(
          chunks.size(),
          (number, into) -> start(chunks.get(number), into),
          (number, reading, bytes) -> {
            if (isWhole(chunks.get(number), reading, bytes)) {
              whole.add(chunks.get(number).chunk().position());
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException("neither a start nor a use fails", e);
    }
    return whole;
  }

  /** Starts a read; if that fails, the buffer stays empty. */
  private Reading start(LeasedChunk held, ByteBuffer into) {
    try {
      return start(lending, held, into);
    } catch (IOException | RuntimeException e) {
      return unreadable(held, e);
    }
  }

  private boolean isWhole(LeasedChunk held, Reading reading, ByteBuffer bytes) {
    try {
      reading.await();
    } catch (IOException | RuntimeException e) {
      unreadable(held, e);
      return false;
    }
    crc.reset();
    crc.update(bytes.flip());
    return bytes.limit() == held.chunk().bytes() && (int) crc.getValue() == held.chunk().checksum();
  }

  private static Reading unreadable(LeasedChunk held, Exception why) {
    LOG.warn("Chunk {} cannot be read, so it is not held", held, why);
    return Reading.DONE;
  }
}
