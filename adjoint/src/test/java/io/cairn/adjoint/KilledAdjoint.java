package io.cairn.adjoint;

import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Schedules;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A process that runs a program forward and backward until it is killed. It prints "call" at each
 * call of the program, and at its end whether the result is the undisturbed one.
 */
final class KilledAdjoint {
  static final int STEPS = 80;

  private KilledAdjoint() {}

  /** Runs below the directory of the first argument, by the schedule of the second. */
  public static void main(String[] arguments) throws Exception {
    ToyProgram program = new LoudProgram();
    AdjointReport report =
        AdjointLife.live(Path.of(arguments[0]), 6, program, isLast -> schedule(arguments[1]));
    ToyProgram expected = ToyProgram.undisturbed(STEPS);
    boolean exact =
        Arrays.equals(program.gradient, expected.gradient)
            && Arrays.equals(program.record, expected.record);
    say("exact " + exact + " recomputed " + report.recomputed());
  }

  private static Schedule schedule(String name) {
    return name.equals("storeAll") ? Schedules.storeAll(STEPS) : Schedules.revolve(STEPS, 6);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static final class LoudProgram extends ToyProgram {
    LoudProgram() {
      super(STEPS);
    }

    @Override
    public void step(long step) {
      super.step(step);
      say("call");
    }

    @Override
    public void reverse(long step) {
      super.reverse(step);
      say("call");
    }
  }
}
