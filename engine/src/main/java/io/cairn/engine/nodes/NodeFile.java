package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Level;
import io.cairn.core.wire.NodeSite;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.flush.store.StoreInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
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
  private final ContainerSummary container;
  private final LongConsumer readBytes;
  private long bytesRead;
  private @Nullable IOException failure;

  /**
   * A file that exists at the node.
   *
   * @param readBytes receives the bytes that were read, when this is closed
   */
  NodeFile(
      Asking asking,
      NodeSite site,
      Level level,
      CheckpointId id,
      String birth,
      ContainerSummary container,
      LongConsumer readBytes) {
    this.asking = asking;
    this.site = site;
    this.level = level;
    this.id = id;
    this.birth = birth;
    this.container = container;
    this.readBytes = readBytes;
  }

  @Override
  public long length() {
    return container.bytes();
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    if (position < 0 || position + into.remaining() > length()) {
      throw new EOFException(
          "%s of %s has %d bytes, not %d from %d on"
              .formatted(container.file(), site, length(), into.remaining(), position));
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
      throw new IOException(
          container.file() + " is not read any more: " + before.getMessage(), before);
    }
  }

  private int read(long at, ByteBuffer into) throws IOException {
    int bytes = Math.min(into.remaining(), PIECE_BYTES);
    PeerRequest.ReadNode request =
        new PeerRequest.ReadNode(level, id, birth, container.file(), at, bytes);
    ByteBuffer piece =
        asking.await(asking.ask(site.address(), request, PeerReply.Piece.class), site).bytes();
    if (piece.remaining() != bytes) {
      throw new IOException(site + " sent " + piece.remaining() + " bytes for " + request);
    }
    into.put(piece);
    bytesRead += bytes;
    return bytes;
  }

  @Override
  public void close() {
    readBytes.accept(bytesRead);
    bytesRead = 0;
  }
}
