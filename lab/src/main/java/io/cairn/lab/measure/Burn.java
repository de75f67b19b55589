package io.cairn.lab.measure;

/** Work of a known time on one thread. It touches no memory. Not thread-safe. */
public final class Burn {
  private static final int CALIBRATION_ROUNDS = 15;
  private static final long CALIBRATED_LOOPS = 2_000_000;

  private final double loopsPerMilli;
  private double sink = 1;

  private Burn(double loopsPerMilli) {
    this.loopsPerMilli = loopsPerMilli;
  }

  /** Measures how fast this machine is; the fastest of several rounds counts. */
  public static Burn calibrated() {
    Burn burn = new Burn(1);
    double best = Double.MAX_VALUE;
    for (int round = 0; round < CALIBRATION_ROUNDS; round++) {
      long start = System.nanoTime();
      burn.loop(CALIBRATED_LOOPS);
      best = Math.min(best, (System.nanoTime() - start) / 1e6);
    }
    return new Burn(CALIBRATED_LOOPS / best);
  }

  /** Computes for so long, if nobody else uses the processor. */
  public void millis(double millis) {
    loop((long) (millis * loopsPerMilli));
  }

  private void loop(long loops) {
    double value = sink;
    for (long i = 0; i < loops; i++) {
      value = value * 0.999999 + 1e-6;
    }
    sink = value;
  }
}
