package io.cairn.flush.redundancy;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The containers of one rank, computed from other pieces of its set. Only the bytes that are read
 * are computed. They are as wrong as those pieces; the reader of a container verifies them. With a
 * spare piece it can do without any one of the others. Files share buffers, so neither this nor
 * they are thread-safe.
 */
public final class RebuiltRank implements ReadableStore, Closeable {
  private static final int PIECE_BYTES = 1 << 20;

  private final String described;
  private final RedundancyScheme code;
  private final int wanted;
  private final CheckpointManifest part;
  private final SortedMap<Integer, StoreInput> pieces;
  private final List<ByteBuffer> buffers = new ArrayList<>();

  /** The index of the piece that is not used, if there is one. */
  private int leftOut = -1;

  /**
   * A rank that can be computed.
   *
   * @param described names the pieces, for people
   * @param header of a parity of the set
   * @param rank of the set
   * @param pieces of the set by index, at least as many as it has ranks and without that of the
   *     rank; the first are used, and all are closed with this
   */
  public RebuiltRank(
      String described, ParityHeader header, int rank, Map<Integer, StoreInput> pieces) {
    this.described = described;
    this.code = header.code();
    this.wanted = header.ranks().indexOf(rank);
    this.part = header.members().get(wanted).part();
    this.pieces = new TreeMap<>(pieces);
    if (pieces.size() < code.data() || pieces.containsKey(wanted)) {
      throw new IllegalArgumentException(
          "rank " + rank + " cannot be computed from the pieces " + pieces.keySet());
    }
  }

  /** The containers that this rank has. */
  public List<ContainerSummary> containers() {
    return part.containers();
  }

  /** The pieces that are used, by index. */
  public List<Integer> used() {
    return pieces.keySet().stream().filter(i -> i != leftOut).limit(code.data()).toList();
  }

  /** Whether there is a piece more than is needed. */
  public boolean hasSpare() {
    return pieces.size() > code.data();
  }

  /**
   * Does without one piece from now on, and uses all others again.
   *
   * @param index of the piece; none if it has another index. Without a spare nothing is computed
   *     then
   */
  public void leaveOut(int index) {
    leftOut = index;
  }

  @Override
  public String describe() {
    return described;
  }

  @Override
  public StoreInput open(String path) throws NoSuchFileException {
    long begin = 0;
    for (ContainerSummary container : part.containers()) {
      if (path.equals(StoreNames.file(part.id(), container.file()))) {
        return new Rebuilt(path, begin, container.bytes());
      }
      begin += container.bytes();
    }
    throw new NoSuchFileException(describe() + "/" + path);
  }

  private final class Rebuilt implements StoreInput {
    private final String path;
    private final long begin;
    private final long bytes;

    Rebuilt(String path, long begin, long bytes) {
      this.path = path;
      this.begin = begin;
      this.bytes = bytes;
    }

    @Override
    public long length() {
      return bytes;
    }

    @Override
    public void readFully(long position, ByteBuffer into) throws IOException {
      if (position < 0 || position + into.remaining() > bytes) {
        throw new EOFException(
            String.format(
                Locale.ROOT,
                "%s/%s has %d bytes, not %d from %d on",
                describe(),
                path,
                bytes,
                into.remaining(),
                position));
      }
      for (long at = begin + position; into.hasRemaining(); ) {
        int length = Math.min(PIECE_BYTES, into.remaining());
        compute(at, length, into);
        at += length;
      }
    }

    @Override
    public void close() {}
  }

  private void compute(long at, int length, ByteBuffer into) throws IOException {
    while (buffers.size() <= code.data()) {
      buffers.add(ByteBuffer.allocateDirect(PIECE_BYTES));
    }
    List<Optional<ByteBuffer>> present =
        new ArrayList<>(Collections.nCopies(code.data() + code.parities(), Optional.empty()));
    int used = 0;
    for (Map.Entry<Integer, StoreInput> piece : pieces.entrySet()) {
      if (used < code.data() && piece.getKey() != leftOut) {
        ByteBuffer buffer = buffers.get(used++).clear().limit(length);
        piece.getValue().readFully(at, buffer);
        present.set(piece.getKey(), Optional.of(buffer.flip()));
      }
    }
    ByteBuffer result = buffers.get(used).clear().limit(length);
    code.compute(present, wanted, result);
    into.put(result.flip());
  }

  @Override
  public void close() throws IOException {
    OpenParts.closeAll(pieces.values());
  }
}
