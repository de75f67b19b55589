package io.cairn.adjoint;

import io.cairn.Region;
import java.util.Arrays;
import java.util.List;

/** A program whose every bit depends on every step, in their order. */
class ToyProgram implements AdjointProgram {
  private static final int LONGS = 1024;

  final long[] state = new long[LONGS];
  final long[] gradient = new long[LONGS];
  final long[] record;
  private final int steps;

  ToyProgram(int steps) {
    this.steps = steps;
    record = new long[steps];
    Arrays.setAll(state, i -> i);
  }

  /** The gradient of an undisturbed run that keeps everything. */
  static ToyProgram undisturbed(int steps) {
    return undisturbed(new ToyProgram(steps));
  }

  /** Runs a program so. */
  static ToyProgram undisturbed(ToyProgram toy) {
    int steps = toy.steps;
    long[][] states = new long[steps][];
    for (int step = 0; step < steps; step++) {
      states[step] = toy.state.clone();
      toy.step(step);
    }
    for (int step = steps - 1; step >= 0; step--) {
      System.arraycopy(states[step], 0, toy.state, 0, LONGS);
      toy.reverse(step);
    }
    return toy;
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
    return List.of(Region.of("gradient", gradient), Region.of("record", record));
  }

  @Override
  public void step(long step) {
    record[(int) step] = state[0] ^ step;
    mix(state, state, step);
  }

  @Override
  public void reverse(long step) {
    mix(gradient, state, ~step);
    gradient[0] ^= record[(int) step];
  }

  @Override
  public boolean isLast(long step) {
    return step == steps - 1;
  }

  private static void mix(long[] into, long[] from, long salt) {
    for (int i = 0; i < LONGS; i++) {
      long value = into[i] + from[(i + 1) % LONGS] * 0x9E3779B97F4A7C15L + salt;
      into[i] = value ^ value >>> 29;
    }
  }
}
