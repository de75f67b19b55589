package io.cairn.lab.bench.small;

import io.cairn.Cairn;
import io.cairn.CheckpointTicket;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.measure.SettledTickets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A loop whose iteration computes from numbers in the processor's cache, as a gradient, and then
 * writes each number of its state once. The amount of work is fixed, so that an iteration that
 * shares its processors takes longer.
 */
final class PlainLoop implements SmallTraining {
  private static final int REGIONS = 4;

  /** Of the state. */
  static final int LEAST_BYTES = REGIONS * Float.BYTES;

  private static final int WORKED_ON = 4096;
  private static final int TRIAL = 20;

  private final Cairn cairn;
  private final SettledTickets checkpointer;
  private final boolean beside;
  private final float[][] state;
  private final float[] worked = new float[WORKED_ON];
  private final List<CheckpointTicket> tickets = new ArrayList<>();
  private int passes = 1;
  private long iteration;
  private long captured;

  /**
   * Joins and finds how much work fills an iteration.
   *
   * @param bytes of the state; a multiple of {@link #LEAST_BYTES}
   */
  PlainLoop(Mode mode, Scratch scratch, int bytes, double millis) throws IOException {
    beside = mode.beside();
    state = new float[REGIONS][bytes / Float.BYTES / REGIONS];
    cairn = mode.open(scratch);
    checkpointer = new SettledTickets(cairn.join("loop"), beside);
    for (int region = 0; region < REGIONS; region++) {
      checkpointer.protect(Region.of("region-" + region, state[region]));
    }
    checkpointer.restore();
    calibrate(millis * 1e6);
  }

  /** Other processes only add time, so the shortest one counts. */
  private void calibrate(double nanos) {
    bare(TRIAL);
    double update = Double.MAX_VALUE;
    double pass = Double.MAX_VALUE;
    for (int trial = 0; trial < TRIAL; trial++) {
      long begin = System.nanoTime();
      update();
      long updated = System.nanoTime();
      gradient();
      update = Math.min(update, (double) (updated - begin));
      pass = Math.min(pass, (double) (System.nanoTime() - updated) / passes);
      passes = (int) Math.max(1, Math.round((nanos - update) / pass));
    }
  }

  @Override
  public void bare(int iterations) {
    for (int k = 0; k < iterations; k++) {
      gradient();
      update();
    }
  }

  @Override
  public void checkpointed(int iterations) {
    for (int k = 0; k < iterations; k++) {
      gradient();
      if (beside) {
        checkpointer.awaitCaptured();
        update();
        tickets.add(checkpointer.checkpointBeside(iteration++));
      } else {
        update();
        CheckpointTicket ticket = checkpointer.checkpoint(iteration++);
        ticket.captured().join();
        tickets.add(ticket);
      }
    }
    checkpointer.awaitCaptured();
  }

  private void gradient() {
    for (int pass = 0; pass < passes; pass++) {
      for (int i = 0; i < WORKED_ON; i++) {
        worked[i] = worked[i] * 0.999f + i;
      }
    }
  }

  private void update() {
    for (int region = 0; region < REGIONS; region++) {
      float[] numbers = state[region];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] += worked[i % WORKED_ON];
      }
    }
  }

  @Override
  public void settle() {
    checkpointer.await();
    captured +=
        tickets.stream()
            .filter(ticket -> ticket.captured().join() instanceof Outcome.Captured)
            .count();
    tickets.clear();
  }

  @Override
  public long captured() {
    return captured;
  }

  @Override
  public long stored() {
    return checkpointer.stored();
  }

  @Override
  public long bytes() {
    return (long) REGIONS * state[0].length * Float.BYTES;
  }

  @Override
  public void close() {
    checkpointer.close();
    cairn.close();
  }
}
