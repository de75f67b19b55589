package io.cairn.examples.elastic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** An exchange between ranks that are threads of one process. */
final class ThreadExchange {
  private final CyclicBarrier barrier;
  private final ByteBuffer[] blocks;

  private ThreadExchange(int ranks) {
    barrier = new CyclicBarrier(ranks);
    blocks = new ByteBuffer[ranks];
    Arrays.fill(blocks, ByteBuffer.allocate(0));
  }

  /**
   * An exchange for this many ranks; each thread takes the element of its rank.
   *
   * @param ranks at least 1
   */
  static List<RankExchange> of(int ranks) {
    ThreadExchange shared = new ThreadExchange(ranks);
    List<RankExchange> sides = new ArrayList<>(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      sides.add(shared.new Side(rank));
    }
    return List.copyOf(sides);
  }

  private final class Side implements RankExchange {
    private final int rank;
    private boolean closed;

    Side(int rank) {
      this.rank = rank;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int ranks() {
      return blocks.length;
    }

    @Override
    public List<ByteBuffer> allGather(ByteBuffer block) throws IOException {
      RankExchange.requireLength(block.remaining());
      ByteBuffer copy = ByteBuffer.allocate(block.remaining()).put(block.duplicate()).flip();
      await(); // no rank reads the blocks of the call before any more
      blocks[rank] = copy;
      await();
      return Arrays.stream(blocks).map(ByteBuffer::duplicate).toList();
    }

    private void await() throws IOException {
      if (closed) {
        throw new IOException("this rank has left the exchange");
      }
      try {
        barrier.await();
      } catch (BrokenBarrierException e) {
        throw new IOException("another rank of this process has left the exchange", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("the thread was interrupted while it waited for other ranks", e);
      }
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        breakBarrier();
      }
    }

    /** An interrupted wait breaks a barrier for good, so that later calls fail, too. */
    private void breakBarrier() {
      boolean interrupted = Thread.interrupted();
      Thread.currentThread().interrupt();
      try {
        barrier.await();
      } catch (InterruptedException | BrokenBarrierException expected) {
        Thread.interrupted(); // the flag that this method set
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
