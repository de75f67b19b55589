package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.flush.store.StoreInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a container at another node, piece by piece. After a failure every read fails at once, so
 * that a lost node costs one wait. Not thread-safe.
 */
final class NodeFile implements StoreInput {
  /** So short that other questions to the node do not wait long. */
  static final int PIECE_BYTES = 1 << 20;

  private final Asking asking;
  private final NodeSite site;
  private final Level level;
  private final CheckpointId id;
  private final String birth;
  private final String name;
  private final long bytes;
  private final LongConsumer readBytes;
  private long bytesRead;
  private @Nullable IOException failure;

  /**
   * A file that exists at the node.
   *
   * @param name of the container
   * @param bytes its length
   * @param readBytes receives the bytes that were read, when this is closed
   */
  NodeFile(
      Asking asking,
      NodeSite site,
      Level level,
      CheckpointId id,
      String birth,
      String name,
      long bytes,
      LongConsumer readBytes) {
    this.asking = asking;
    this.site = site;
    this.level = level;
    this.id = id;
    this.birth = birth;
    this.name = name;
    this.bytes = bytes;
    this.readBytes = readBytes;
  }

  @Override
  public long length() {
    return bytes;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    if (position < 0 || position + into.remaining() > length()) {
      throw new EOFException(
          String.format(
              Locale.ROOT,
              "%s of %s has %d bytes, not %d from %d on",
              name,
              site,
              length(),
              into.remaining(),
              position));
    }
    requireWhole();
    try {
      for (long at = position; into.hasRemaining(); ) {
        at += read(at, into);
      }
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private void requireWhole() throws IOException {
    IOException before = failure;
    if (before != null) {
      throw new IOException(name + " is not read any more: " + before.getMessage(), before);
    }
  }

  private int read(long at, ByteBuffer into) throws IOException {
    int wanted = Math.min(into.remaining(), PIECE_BYTES);
    PeerRequest.ReadNode request = new PeerRequest.ReadNode(level, id, birth, name, at, wanted);
    ByteBuffer piece =
        asking.await(asking.ask(site.address(), request, PeerReply.Piece.class), site).bytes();
    if (piece.remaining() != wanted) {
      throw new IOException(site + " sent " + piece.remaining() + " bytes for " + request);
    }
    into.put(piece);
    bytesRead += wanted;
    return wanted;
  }

  @Override
  public void close() {
    readBytes.accept(bytesRead);
    bytesRead = 0;
  }
}
