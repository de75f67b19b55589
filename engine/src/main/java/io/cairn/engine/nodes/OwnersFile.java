package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.flush.store.StoreInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Reads a container at its owner's node. After each chunk it asks for the bytes that follow, if
 * memory is free. So they arrive while the chunk is written. Not thread-safe.
 */
final class OwnersFile implements StoreInput {
  /** Shorter reads are of headers and indexes, which nothing follows. */
  private static final int LEAST_CHUNK = 4096;

  private final OwnersFiles files;
  private final CheckpointId id;
  private final String name;
  private final long bytes;

  /**
   * A file that exists at the owner's node.
   *
   * @param name of the container
   * @param bytes its length
   */
  OwnersFile(OwnersFiles files, CheckpointId id, String name, long bytes) {
    this.files = files;
    this.id = id;
    this.name = name;
    this.bytes = bytes;
  }

  /** The checkpoint that the container belongs to. */
  CheckpointId id() {
    return id;
  }

  /** The name of the container. */
  String name() {
    return name;
  }

  @Override
  public long length() {
    return bytes;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    int wanted = into.remaining();
    if (position < 0 || position + wanted > bytes) {
      throw new EOFException(
          String.format(
              Locale.ROOT,
              "%s of %s has %d bytes, not %d from %d on",
              name,
              id,
              bytes,
              wanted,
              position));
    }
    long at = position;
    while (into.hasRemaining()) {
      at += files.read(this, at, into);
    }
    if (wanted >= LEAST_CHUNK) {
      files.askAhead(this, at, Math.min(wanted, bytes - at));
    }
  }

  @Override
  public void close() {
    files.closed(this);
  }
}
