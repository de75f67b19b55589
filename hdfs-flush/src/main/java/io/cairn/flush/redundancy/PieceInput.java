package io.cairn.flush.redundancy;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A piece of data: the containers of one rank, one after the other, and then zeros without end. Not
 * thread-safe.
 */
final class PieceInput implements StoreInput {
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 << 10).asReadOnlyBuffer();

  private final List<StoreInput> containers;
  private final List<Long> lengths;

  private PieceInput(List<StoreInput> containers, List<Long> lengths) {
    this.containers = containers;
    this.lengths = lengths;
  }

  /**
   * Opens the containers of a part of a manifest.
   *
   * @throws java.nio.file.NoSuchFileException if one does not exist
   */
  static PieceInput open(ReadableStore store, CheckpointManifest part) throws IOException {
    List<StoreInput> opened = new ArrayList<>();
    List<Long> lengths = part.containers().stream().map(ContainerSummary::bytes).toList();
    try (OpenParts open = new OpenParts()) {
      PieceInput piece = open.add(new PieceInput(opened, lengths));
      for (ContainerSummary container : part.containers()) {
        opened.add(store.open(StoreNames.file(part.id(), container.file())));
      }
      return open.keep(piece);
    }
  }

  /** Length of the containers, without the zeros. */
  @Override
  public long length() {
    return lengths.stream().mapToLong(Long::longValue).sum();
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    long begin = 0;
    long at = position;
    int end = into.limit();
    for (int index = 0; index < containers.size() && into.hasRemaining(); index++) {
      long after = begin + lengths.get(index);
      if (at < after) {
        into.limit(into.position() + (int) Math.min(into.remaining(), after - at));
        at += into.remaining();
        containers.get(index).readFully(at - into.remaining() - begin, into);
        into.limit(end);
      }
      begin = after;
    }
    while (into.hasRemaining()) {
      into.put(ZEROS.slice(0, Math.min(ZEROS.capacity(), into.remaining())));
    }
  }

  @Override
  public void close() throws IOException {
    OpenParts.closeAll(containers);
  }
}
