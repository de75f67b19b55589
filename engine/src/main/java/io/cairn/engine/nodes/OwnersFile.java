package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointId;
import io.cairn.flush.store.StoreInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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
  private @Nullable Piece piece;

  /**
   * Bytes that were asked for.
   *
   * @param at their position in the file
   */
  private record Piece(long at, int bytes, CompletableFuture<ByteBuffer> brought) {
    boolean covers(long position) {
      return position >= at && position < at + bytes;
    }
  }

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

  @Override
  public long length() {
    return bytes;
  }

  @Override
  public void readFully(long position, ByteBuffer into) throws IOException {
    int wanted = into.remaining();
    if (position < 0 || position + wanted > bytes) {
      throw new EOFException(
          "%s of %s has %d bytes, not %d from %d on".formatted(name, id, bytes, wanted, position));
    }
    long at = position;
    while (into.hasRemaining()) {
      at += read(at, into);
    }
    if (wanted >= LEAST_CHUNK) {
      askAhead(at, wanted);
    }
  }

  private int read(long at, ByteBuffer into) throws IOException {
    Piece held = piece;
    if (held == null || !held.covers(at)) {
      drop();
      int wanted = Math.min(into.remaining(), files.pieceBytes());
      files.space().take(wanted);
      held = ask(at, wanted);
    }
    ByteBuffer brought = files.order().await(held.brought());
    int from = (int) (at - held.at());
    int length = Math.min(into.remaining(), held.bytes() - from);
    into.put(brought.slice(brought.position() + from, length));
    if (from + length == held.bytes()) {
      drop();
    }
    return length;
  }

  private void askAhead(long at, int wanted) throws IOException {
    int ahead = (int) Math.min(Math.min(wanted, files.pieceBytes()), bytes - at);
    if (piece == null && ahead > 0 && files.space().tryTake(ahead)) {
      ask(at, ahead);
    }
  }

  /** Asks for bytes whose room is taken; returns the room if nobody can bring them. */
  private Piece ask(long at, int wanted) throws IOException {
    try {
      Piece asked = new Piece(at, wanted, files.order().want(id, name, at, wanted));
      piece = asked;
      return asked;
    } catch (IOException | RuntimeException e) {
      files.space().give(wanted);
      throw e;
    }
  }

  private void drop() {
    if (piece != null) {
      files.space().give(piece.bytes());
      piece = null;
    }
  }

  @Override
  public void close() {
    drop();
  }
}
