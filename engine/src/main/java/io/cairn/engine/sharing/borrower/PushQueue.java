package io.cairn.engine.sharing.borrower;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.borrower.ChunkPush.Buffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Pushes chunks to lenders on other machines, in pieces, through a few reused buffers. Each piece
 * is copied and checksummed in one pass. One thread stages all pieces, so no caller waits. Lenders
 * take turns, and each has at most half of the buffers, so a lender that hangs does not delay the
 * others. Thread-safe.
 */
public final class PushQueue implements AutoCloseable {
  /** Its name; a scheduler may run it, which keeps to itself what a task throws. */
  public static final String THREAD = "cairn-stage";

  private static final int BUFFERS = 8;
  private static final int MOST_PER_LENDER = BUFFERS / 2;
  private static final int MOST_PIECE_BYTES = 4 << 20;

  private final PeerTransport transport;
  private final int pieceBytes;
  private final ExecutorService thread;

  // only the thread uses the following fields
  private final Deque<Buffer> free = new ArrayDeque<>(BUFFERS);
  private final Map<PeerAddress, Lane> lanes = new HashMap<>();
  private final Deque<Lane> turns = new ArrayDeque<>();
  private int made;
  private boolean closed;

  /** The chunks for one lender. */
  private static final class Lane {
    final PeerAddress to;
    final Deque<ChunkPush> waiting = new ArrayDeque<>();
    int underWay;

    Lane(PeerAddress to) {
      this.to = to;
    }

    boolean mayStage() {
      return !waiting.isEmpty() && underWay < MOST_PER_LENDER;
    }

    boolean isIdle() {
      return waiting.isEmpty() && underWay == 0;
    }
  }

  /**
   * Sends over a transport, which stays the caller's to close.
   *
   * @param chunkBytes a multiple of 8
   * @param thread stages all pieces; ends with this
   */
  public PushQueue(PeerTransport transport, int chunkBytes, ExecutorService thread) {
    this.transport = transport;
    this.thread = thread;
    this.pieceBytes = Math.min(chunkBytes, MOST_PIECE_BYTES);
  }

  /**
   * Allocates the buffers early, since a lender on another machine was found.
   *
   * @throws IllegalStateException after {@link #close}
   */
  public void prepare() {
    execute(this::makeBuffers);
  }

  /**
   * Sends chunks; returns at once.
   *
   * @throws IllegalStateException after {@link #close}; none is sent then
   */
  void send(List<ChunkPush.Order> orders) {
    execute(() -> orders.forEach(order -> begin(order.to(), new ChunkPush(order))));
  }

  private void execute(Runnable work) {
    try {
      thread.execute(DaemonThreads.watched(THREAD, work));
    } catch (RejectedExecutionException e) {
      throw closed(e);
    }
  }

  private static IllegalStateException closed(@Nullable Throwable cause) {
    return new IllegalStateException("nothing is sent to peers any more: sharing is closed", cause);
  }

  private void makeBuffers() {
    for (; made < BUFFERS; made++) {
      free.add(Buffer.of(pieceBytes));
    }
  }

  private void begin(PeerAddress to, ChunkPush sending) {
    if (closed) {
      sending.fail(closed(null));
      return;
    }
    try {
      makeBuffers();
    } catch (OutOfMemoryError e) {
      // the process may have too little direct memory; the failure reaches the checkpoint
      sending.fail(e);
      return;
    }
    Lane lane = lanes.get(to);
    if (lane == null) {
      lane = new Lane(to);
      lanes.put(to, lane);
      turns.add(lane);
    }
    lane.waiting.add(sending);
    pump();
  }

  /** Stages pieces while buffers are free, one piece of each lender in turn. */
  private void pump() {
    for (int idle = 0; idle < turns.size() && !free.isEmpty(); idle++) {
      Lane lane = turns.remove();
      if (lane.isIdle()) {
        lanes.remove(lane.to);
        idle = -1;
        continue;
      }
      turns.add(lane);
      if (lane.mayStage()) {
        stage(lane, lane.waiting.element());
        idle = -1;
      }
    }
  }

  private void stage(Lane lane, ChunkPush sending) {
    Buffer buffer = free.remove();
    ChunkSpan piece;
    try {
      piece = sending.stage(buffer);
    } catch (RuntimeException e) {
      // the source could not be read, so this piece is not under way
      free.add(buffer);
      lane.waiting.remove(sending);
      sending.fail(e);
      return;
    }
    if (sending.isStaged()) {
      lane.waiting.remove(sending);
    }
    lane.underWay++;
    transport
        .push(lane.to, Wire.encode(piece), buffer.view())
        .whenComplete(
            (taken, failure) ->
                thread.execute(
                    DaemonThreads.watched(THREAD, () -> landed(lane, sending, buffer, failure))));
  }

  private void landed(Lane lane, ChunkPush sending, Buffer buffer, @Nullable Throwable failure) {
    free.add(buffer);
    lane.underWay--;
    sending.landed(failure);
    if (sending.isStaged()) {
      lane.waiting.remove(sending);
    }
    if (failure != null) {
      failRest(lane, sending, failure);
    }
    pump();
    endIfOver();
  }

  /** Fails the rest of a lease that has lost a chunk: it is useless, and might hang as long. */
  private static void failRest(Lane lane, ChunkPush lost, Throwable why) {
    for (ChunkPush other : List.copyOf(lane.waiting)) {
      if (other.isOfLeaseOf(lost)) {
        lane.waiting.remove(other);
        other.fail(why);
      }
    }
  }

  /** Ends the thread when no piece is under way; the end of each piece calls it. */
  private void endIfOver() {
    if (closed && free.size() == made) {
      thread.shutdown();
    }
  }

  private void end() {
    closed = true;
    for (Lane lane : turns) {
      lane.waiting.forEach(sending -> sending.fail(closed(null)));
      lane.waiting.clear();
    }
    endIfOver();
  }

  /** Fails the chunks that are not under way, and returns at once. Idempotent. */
  @Override
  public void close() {
    try {
      thread.execute(DaemonThreads.watched(THREAD, this::end));
    } catch (RejectedExecutionException closedBefore) {
      return;
    }
  }
}
