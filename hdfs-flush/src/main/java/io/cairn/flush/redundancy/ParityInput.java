package io.cairn.flush.redundancy;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file with a parity, of which the parity is read. Not thread-safe. */
public final class ParityInput implements StoreInput {
  private final StoreInput file;
  private final ParityHeader header;

  private ParityInput(StoreInput file, ParityHeader header) {
    this.file = file;
    this.header = header;
  }

  /**
   * Opens a parity and verifies its header. Its bytes are not verified.
   *
   * @param expected the manifest's entry for it
   * @throws FormatException if it is damaged, or not the one that the manifest names
   * @throws java.nio.file.NoSuchFileException if it does not exist
   */
  public static ParityInput open(ReadableStore store, CheckpointId id, ContainerSummary expected)
      throws IOException {
    String path = StoreNames.file(id, expected.file());
    String name = store.describe() + "/" + path;
    try (OpenParts open = new OpenParts()) {
      StoreInput file = open.add(store.open(path));
      ParityHeader header = ParityHeader.read(file, expected, name);
      for (ParityHeader.Member member : header.members()) {
        requireOf(id, member.part(), name);
      }
      return open.keep(new ParityInput(file, header));
    }
  }

  private static void requireOf(CheckpointId id, CheckpointManifest part, String name)
      throws FormatException {
    if (!part.id().equals(id)) {
      throw new FormatException(name, 0, "is of " + part.id() + ", not of " + id);
    }
  }

  /**
   * Opens the containers of one rank as a piece of its set.
   *
   * @param part the rank's part of the manifest, as a header names it
   * @throws java.nio.file.NoSuchFileException if one does not exist
   */
  public static StoreInput data(ReadableStore store, CheckpointManifest part) throws IOException {
    return PieceInput.open(store, part);
  }

  /** The header. */
  public ParityHeader header() {
    return header;
  }

  @Override
  public long length() {
    return header.parityBytes();
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    file.readFully(file.length() - length() + position, into);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
