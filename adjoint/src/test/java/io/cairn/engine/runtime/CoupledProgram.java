package io.cairn.engine.runtime;

import io.cairn.Region;
import io.cairn.adjoint.AdjointProgram;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.function.LongBinaryOperator;

/** A rank of a program whose ranks exchange a value in each step and in each reversal. */
final class CoupledProgram implements AdjointProgram {
  private static final int LONGS = 512;

  /** The end of a life. */
  static final class EndException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Values of all ranks, in one process. */
  static final class Exchange {
    private final CyclicBarrier barrier;
    private final long[] values;

    Exchange(int ranks) {
      barrier = new CyclicBarrier(ranks);
      values = new long[ranks];
    }

    long reduce(int rank, long mine, LongBinaryOperator operator) {
      values[rank] = mine;
      await();
      long result = Arrays.stream(values).reduce(operator).orElseThrow();
      await();
      return result;
    }

    private void await() {
      try {
        barrier.await();
      } catch (BrokenBarrierException | InterruptedException e) {
        throw new EndException();
      }
    }

    /** Breaks the barrier for good: an interrupted thread does so. */
    void end() {
      Thread.currentThread().interrupt();
      await();
    }
  }

  private final int rank;
  private final Exchange exchange;
  private final long[] state = new long[LONGS];
  private final long[] gradient = new long[LONGS];
  private int callsLeft;

  /**
   * A rank.
   *
   * @param callsLeft after so many calls it ends, and all others with it; -1 for never
   */
  CoupledProgram(int rank, Exchange exchange, int callsLeft) {
    this.rank = rank;
    this.exchange = exchange;
    this.callsLeft = callsLeft;
    Arrays.setAll(state, i -> (long) i * (rank + 1));
  }

  long[] gradient() {
    return gradient.clone();
  }

  @Override
  public List<Region> restart() {
    return List.of(Region.of("state", state));
  }

  @Override
  public List<Region> read() {
    return restart();
  }

  @Override
  public List<Region> adjoint() {
    return List.of(Region.of("gradient", gradient));
  }

  @Override
  public void step(long step) {
    mix(state, state, exchange.reduce(rank, state[1] + step, Long::sum));
    call();
  }

  @Override
  public void reverse(long step) {
    mix(gradient, state, exchange.reduce(rank, gradient[1] ^ step, Long::sum));
    call();
  }

  @Override
  public long least(long mine) {
    return exchange.reduce(rank, mine, Math::min);
  }

  private void call() {
    callsLeft--;
    if (callsLeft == 0) {
      end();
    }
  }

  /** Ends this rank, and all others with it. */
  void end() {
    exchange.end();
  }

  private static void mix(long[] into, long[] from, long salt) {
    for (int i = 0; i < LONGS; i++) {
      long value = into[i] + from[(i + 1) % LONGS] * 0x9E3779B97F4A7C15L + salt;
      into[i] = value ^ value >>> 29;
    }
  }
}
