package io.cairn.flush.redundancy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Writes the file with one parity of a set, from the containers of all its ranks. Reads them side
 * by side, in pieces. Stateless.
 */
public final class ParityWriter {
  private static final int PIECE_BYTES = 1 << 20;

  private ParityWriter() {}

  /**
   * Writes a parity. The containers are read as they are; the caller has verified them.
   *
   * @param from holds the containers of all ranks of the set
   * @param into receives the file; one of that name is overwritten
   * @return the entry of the file for a manifest, with the digest of its header
   * @throws IOException if a container cannot be read, or the file not be written
   */
  public static ContainerSummary write(
      ParityHeader header, ReadableStore from, CheckpointStore into) throws IOException {
    CheckpointId id = header.members().get(0).part().id();
    String name = StoreNames.parity(header.ranks().get(0), header.index());
    into.delete(StoreNames.file(id, name)); // of an attempt that its process did not survive
    byte[] begin = header.encode();
    List<PieceInput> data = new ArrayList<>();
    try (StoreOutput out = into.create(StoreNames.file(id, name))) {
      for (ParityHeader.Member member : header.members()) {
        data.add(PieceInput.open(from, member.part()));
      }
      out.write(ByteBuffer.wrap(begin));
      encode(header, data, out);
    } finally {
      OpenParts.closeAll(data);
    }
    long bytes = begin.length + header.parityBytes();
    return new ContainerSummary(name, bytes, Digest.of(begin), header.ranks());
  }

  private static void encode(ParityHeader header, List<PieceInput> data, StoreOutput out)
      throws IOException {
    RedundancyScheme code = header.code();
    int wanted = data.size() + header.index();
    int longest = (int) Math.min(PIECE_BYTES, header.parityBytes());
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int index = 0; index <= data.size(); index++) {
      buffers.add(ByteBuffer.allocateDirect(longest));
    }
    ByteBuffer parity = buffers.get(data.size());
    for (long at = 0; at < header.parityBytes(); at += longest) {
      int bytes = (int) Math.min(longest, header.parityBytes() - at);
      List<Optional<ByteBuffer>> pieces =
          new ArrayList<>(Collections.nCopies(data.size() + code.parities(), Optional.empty()));
      for (int index = 0; index < data.size(); index++) {
        ByteBuffer piece = buffers.get(index).clear().limit(bytes);
        data.get(index).readFully(at, piece);
        pieces.set(index, Optional.of(piece.flip()));
      }
      code.compute(pieces, wanted, parity.clear().limit(bytes));
      out.write(parity.flip());
    }
  }
}
