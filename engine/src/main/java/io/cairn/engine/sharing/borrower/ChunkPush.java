package io.cairn.engine.sharing.borrower;

import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.wire.ChunkSpan;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Sends one chunk to a lender, piece by piece. Not thread-safe. */
final class ChunkPush {
  private static final int BLOCK_BYTES = 64 << 10;

  private final Order order;
  private final CRC32C crc = new CRC32C();
  private int staged;
  private int underWay;
  private @Nullable Throwable failure;

  /**
   * A chunk to be sent.
   *
   * @param ending completes with the checksum when the lender has the whole chunk, or fails; then
   *     the push uses neither source nor slot any more
   */
  record Order(
      PeerAddress to,
      ChunkSpan span,
      HostMemory source,
      long sourceOffset,
      CompletableFuture<Integer> ending) {}

  /** A staging buffer, which has one piece until the lender has it. */
  record Buffer(NativeSpan span, ByteBuffer view) {
    static Buffer of(int bytes) {
      NativeSpan span = new NativeSpan(ByteBuffer.allocateDirect(bytes));
      return new Buffer(span, span.bytes().duplicate());
    }
  }

  ChunkPush(Order order) {
    this.order = order;
  }

  /** Copies the next piece to a buffer, whose view then has the piece; returns its span. */
  ChunkSpan stage(Buffer buffer) {
    ChunkSpan all = order.span();
    int bytes = Math.min(buffer.span().length(), all.bytes() - staged);
    for (int done = 0; done < bytes; done += BLOCK_BYTES) {
      int block = Math.min(BLOCK_BYTES, bytes - done);
      order.source().copyTo(order.sourceOffset() + staged + done, buffer.span(), done, block);
      // while the block is still in the processor's cache
      crc.update(buffer.view().limit(done + block).position(done));
    }
    buffer.view().limit(bytes).position(0);
    ChunkSpan piece =
        new ChunkSpan(all.lease(), all.position(), Math.addExact(all.offset(), staged), bytes);
    staged += bytes;
    underWay++;
    return piece;
  }

  boolean isOfLeaseOf(ChunkPush other) {
    return order.span().lease().equals(other.order.span().lease());
  }

  /** Whether nothing is left to be staged. */
  boolean isStaged() {
    return failure != null || staged == order.span().bytes();
  }

  /** Handles the end of one staged piece's transfer. */
  void landed(@Nullable Throwable why) {
    underWay--;
    if (why != null) {
      fail(why);
    } else {
      endIfOver();
    }
  }

  /** Stages no further piece; the push ends when no piece is under way. */
  void fail(Throwable why) {
    failure = failure == null ? why : failure;
    endIfOver();
  }

  private void endIfOver() {
    if (underWay > 0) {
      return;
    }
    if (failure != null) {
      order.ending().completeExceptionally(failure);
    } else if (isStaged()) {
      order.ending().complete((int) crc.getValue());
    }
  }
}
