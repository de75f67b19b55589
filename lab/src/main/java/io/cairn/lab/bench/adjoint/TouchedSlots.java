package io.cairn.lab.bench.adjoint;

import io.cairn.adjoint.schedule.Schedule;
import java.util.ArrayDeque;
import java.util.Deque;

/** The slots of a schedule's only tier, in touched memory. Not thread-safe. */
final class TouchedSlots implements Contender.Snapshots {
  private final Touched memory;
  private final Contender.Program program;
  private final Deque<Integer> free = new ArrayDeque<>();

  /** The slot of each step that is stored. */
  private final int[] slots;

  TouchedSlots(Schedule schedule, Touched memory, Contender.Program program, int steps) {
    this.memory = memory;
    this.program = program;
    slots = new int[steps];
    for (int slot = 0; slot < schedule.tiers().get(0).slots(); slot++) {
      free.push(slot);
    }
  }

  @Override
  public void store(long step) {
    int slot = free.pop();
    slots[(int) step] = slot;
    memory.store(slot, program.state());
  }

  @Override
  public void restore(long step, boolean last) {
    int slot = slots[(int) step];
    memory.restore(slot, program.state());
    if (last) {
      free.push(slot);
    }
  }
}
