package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.CopyEvent;
import io.cairn.core.model.OpenParts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Copies to the host, piece by piece through a few pinned buffers, in the order of their starts.
 * The GPU fills the buffers while the threads that started the copies do other work. A thread that
 * asks whether its copy has ended takes along each piece that has landed, of any copy. So no copy
 * waits for a thread that holds a buffer and does not ask. Thread-safe.
 */
final class PinnedArrivals {
  private static final int BUFFERS = 2;

  private final CudaContext context;
  private final int bufferBytes;
  private final List<PinnedBuffer> all = new ArrayList<>();
  private final Queue<PinnedBuffer> free = new ArrayDeque<>();

  /** Pieces that the GPU copies to their buffers, the oldest first. */
  private final Queue<Piece> underWay = new ArrayDeque<>();

  /** Copies with bytes for which no buffer was free yet. */
  private final Queue<Arrival> waiting = new ArrayDeque<>();

  private record Piece(Arrival arrival, PinnedBuffer buffer, int offset, int bytes) {
    void drain() {
      buffer.drain(arrival.target, offset, bytes);
    }
  }

  private PinnedArrivals(CudaContext context, int bufferBytes) {
    this.context = context;
    this.bufferBytes = bufferBytes;
  }

  /** Allocates the buffers. */
  static PinnedArrivals allocate(CudaContext context, int bufferBytes) throws CudaException {
    PinnedArrivals arrivals = new PinnedArrivals(context, bufferBytes);
    try {
      for (int i = 0; i < BUFFERS; i++) {
        arrivals.all.add(PinnedBuffer.allocate(context, bufferBytes));
      }
    } catch (CudaException e) {
      OpenParts.closeAfter(arrivals::free, e);
      throw e;
    }
    arrivals.free.addAll(arrivals.all);
    return arrivals;
  }

  /**
   * Starts a copy into a buffer, from its position to its limit. Waits for nothing.
   *
   * @param source the driver's address
   */
  CopyEvent start(long source, ByteBuffer target, long stream) {
    if (target.isReadOnly()) {
      throw new ReadOnlyBufferException(); // here, and not on the thread that takes a piece along
    }
    Arrival arrival = new Arrival(source, target.slice(), stream);
    if (arrival.bytes() > 0) {
      synchronized (this) {
        waiting.add(arrival);
      }
      arrival.isDone(); // starts its first pieces
    }
    return arrival;
  }

  /** Takes along all that has landed. It is a call of the device, so that the buffers stay. */
  private void advance() throws CudaException {
    if (!context.running().begin()) {
      throw context.closed();
    }
    try {
      for (Piece piece = landed(); piece != null; piece = landed()) {
        piece.drain();
        drained(piece);
      }
    } finally {
      context.running().end();
    }
  }

  /** The oldest piece, if it has landed; the caller has its buffer until it is drained. */
  private synchronized @Nullable Piece landed() {
    receive();
    for (Piece oldest = underWay.peek(); oldest != null; oldest = underWay.peek()) {
      try {
        if (!oldest.buffer().hasLanded()) {
          return null;
        }
      } catch (CudaException e) {
        oldest.arrival().fail(e);
      }
      underWay.remove();
      if (oldest.arrival().failure == null) {
        oldest.arrival().draining++;
        return oldest;
      }
      free.add(oldest.buffer());
    }
    return null;
  }

  private synchronized void drained(Piece piece) {
    free.add(piece.buffer());
    piece.arrival().draining--;
    piece.arrival().drained += piece.bytes();
  }

  /** Gives each free buffer a piece to receive. */
  private void receive() {
    while (!waiting.isEmpty() && !free.isEmpty()) {
      Arrival arrival = waiting.element();
      try {
        if (!free.element().hasLanded()) {
          return;
        }
        int bytes = Math.min(bufferBytes, arrival.bytes() - arrival.started);
        Piece piece = new Piece(arrival, free.element(), arrival.started, bytes);
        piece.buffer().receive(arrival.source + piece.offset(), bytes, arrival.stream);
        free.remove();
        underWay.add(piece);
        arrival.started += bytes;
        if (arrival.started == arrival.bytes()) {
          waiting.remove();
        }
      } catch (CudaException e) {
        arrival.fail(e);
      }
    }
  }

  /** Ends the buffers; no copy is under way. */
  void free() throws CudaException {
    try (CurrentContext calls = context.enter()) {
      for (PinnedBuffer buffer : all) {
        buffer.free(calls);
      }
      all.clear();
    }
  }

  /** One copy. Its fields change under the lock of all. */
  private final class Arrival implements CopyEvent {
    private final long source;
    private final ByteBuffer target;
    private final long stream;
    private int started;
    private int drained;
    private int draining;
    private @Nullable CudaException failure;

    Arrival(long source, ByteBuffer target, long stream) {
      this.source = source;
      this.target = target;
      this.stream = stream;
    }

    private int bytes() {
      return target.capacity();
    }

    private void fail(CudaException cause) {
      waiting.remove(this);
      if (failure == null) {
        failure = cause;
      }
    }

    /** Also writes the pieces that have landed to their targets. */
    @Override
    public boolean isDone() {
      if (!hasEnded()) {
        try {
          advance();
        } catch (CudaException e) {
          synchronized (PinnedArrivals.this) {
            fail(e);
          }
        }
      }
      return hasEnded();
    }

    /** The host alone writes to the target, so that a copy that failed ends with its last piece. */
    private boolean hasEnded() {
      synchronized (PinnedArrivals.this) {
        return failure == null ? drained == bytes() : draining == 0;
      }
    }

    @Override
    public void await() throws IOException, InterruptedException {
      context.await("a copy to the host", this::isDone);
      throwFailure();
    }

    /** The patience with the GPU counts from the call, however often the thread is interrupted. */
    @Override
    public void awaitLanding() throws IOException {
      context.awaitSurely("a copy to the host", this::isDone);
      throwFailure();
    }

    private void throwFailure() throws CudaException {
      synchronized (PinnedArrivals.this) {
        if (failure != null) {
          throw failure;
        }
      }
    }

    @Override
    public int checksum(int chunk) {
      throw new IllegalStateException("a copy to the host computes no checksum");
    }
  }
}
