package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The containers of one rank at its owner's node, as a staging server reads them. At most one piece
 * is asked for at a time, whichever file it belongs to, since an owner is asked for one piece at a
 * time. Not thread-safe.
 */
final class OwnersFiles implements ReadableStore {
  private final StagedOrder order;
  private final StagingSpace space;
  private final int pieceBytes;
  private @Nullable Piece piece;

  /**
   * Bytes of a file that were asked for.
   *
   * @param at their position in the file
   */
  private record Piece(OwnersFile file, long at, int bytes, CompletableFuture<ByteBuffer> brought) {
    boolean covers(OwnersFile other, long position) {
      return file == other && position >= at && position < at + bytes;
    }
  }

  /**
   * The files that an order names.
   *
   * @param space bounds the bytes that are asked for
   * @param pieceBytes the most that is asked for at once
   */
  OwnersFiles(StagedOrder order, StagingSpace space, int pieceBytes) {
    this.order = order;
    this.space = space;
    this.pieceBytes = pieceBytes;
  }

  @Override
  public String describe() {
    return "NODE of the owner";
  }

  @Override
  public StoreInput open(String path) throws NoSuchFileException {
    CheckpointId id = order.part().id();
    for (ContainerSummary container : order.part().containers()) {
      if (path.equals(StoreNames.file(id, container.file()))) {
        return new OwnersFile(this, id, container.file(), container.bytes());
      }
      for (Holder holder : container.holders()) {
        CheckpointId older = holder.in(id.group());
        if (path.equals(StoreNames.file(older, holder.file()))) {
          return new OwnersFile(this, older, holder.file(), holder.bytes());
        }
      }
    }
    throw new NoSuchFileException(describe() + "/" + path);
  }

  /** Reads bytes that follow each other, one or more; returns how many. */
  int read(OwnersFile file, long at, ByteBuffer into) throws IOException {
    Piece held = piece;
    if (held == null || !held.covers(file, at)) {
      drop();
      int wanted = Math.min(into.remaining(), pieceBytes);
      space.take(wanted);
      held = ask(file, at, wanted);
    }
    ByteBuffer brought = order.await(held.brought());
    int from = (int) (at - held.at());
    int length = Math.min(into.remaining(), held.bytes() - from);
    into.put(brought.slice(brought.position() + from, length));
    if (from + length == held.bytes()) {
      drop();
    }
    return length;
  }

  /** Asks for bytes before they are read, if memory is free and no others are asked for. */
  void askAhead(OwnersFile file, long at, long most) throws IOException {
    int ahead = (int) Math.min(most, pieceBytes);
    if (piece == null && ahead > 0 && space.tryTake(ahead)) {
      ask(file, at, ahead);
    }
  }

  /** Asks for bytes whose room is taken; returns the room if nobody can bring them. */
  private Piece ask(OwnersFile file, long at, int wanted) throws IOException {
    try {
      Piece asked = new Piece(file, at, wanted, order.want(file.id(), file.name(), at, wanted));
      piece = asked;
      return asked;
    } catch (IOException | RuntimeException e) {
      space.give(wanted);
      throw e;
    }
  }

  private void drop() {
    if (piece != null) {
      space.give(piece.bytes());
      piece = null;
    }
  }

  /** The file is read no more. */
  void closed(OwnersFile file) {
    if (piece != null && piece.file() == file) {
      drop();
    }
  }
}
