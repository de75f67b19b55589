package io.cairn.examples.wave;

import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Exchanges values between ranks that run as threads of one process. Thread-safe. */
final class ValueExchange {
  private final int ranks;
  private final int edge;
  private final CyclicBarrier barrier;
  private final double[][] firstColumns;
  private final double[][] lastColumns;
  private final double[] values;
  private final long[] counts;

  ValueExchange(Grid grid, int ranks) {
    this.ranks = ranks;
    edge = Grid.FRAME * grid.xStride();
    barrier = new CyclicBarrier(ranks);
    firstColumns = new double[ranks][edge];
    lastColumns = new double[ranks][edge];
    values = new double[ranks];
    counts = new long[ranks];
  }

  /** The other ranks, as one of them sees them. */
  Neighbours of(int rank) {
    return new Side(rank);
  }

  /** This thread's rank failed: the others fail in their next call, or in the one under way. */
  void fail() {
    // An interrupted wait breaks a barrier for good. The thread is about to end.
    Thread.currentThread().interrupt();
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void await() {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("another rank of the migration failed", e);
    }
  }

  private final class Side implements Neighbours {
    private final int rank;

    Side(int rank) {
      this.rank = rank;
    }

    @Override
    public void exchange(double[] field) {
      int end = field.length;
      System.arraycopy(field, edge, firstColumns[rank], 0, edge);
      System.arraycopy(field, end - 2 * edge, lastColumns[rank], 0, edge);
      await();
      if (rank > 0) {
        System.arraycopy(lastColumns[rank - 1], 0, field, 0, edge);
      }
      if (rank < ranks - 1) {
        System.arraycopy(firstColumns[rank + 1], 0, field, end - edge, edge);
      }
      await();
    }

    @Override
    public double most(double value) {
      values[rank] = value;
      await();
      double most = Arrays.stream(values).max().orElse(value);
      await();
      return most;
    }

    @Override
    public long least(long value) {
      counts[rank] = value;
      await();
      long least = Arrays.stream(counts).min().orElse(value);
      await();
      return least;
    }
  }
}
