package io.cairn.lab.bench.adjoint;

import io.cairn.cache.history.History;
import io.cairn.core.adjoint.Action;
import io.cairn.core.adjoint.Schedule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;

/** A way to have states at hand in the backward pass. */
interface Contender {
  /** A program whose steps take a known time. */
  interface Program {
    void forward(long step);

    void backward(long step);

    /** The state, which each step changes. */
    byte[] state();
  }

  /** Runs forward and backward. */
  void run(Program program, int steps) throws IOException;

  /** Nothing is kept: the time of the computation alone. */
  static Contender nothing() {
    return (program, steps) -> {
      for (int i = 0; i < steps; i++) {
        program.forward(i);
      }
      for (int i = steps - 1; i >= 0; i--) {
        program.backward(i);
      }
    };
  }

  /** A history that protects the state. */
  static Contender history(History history) {
    return (program, steps) -> {
      history.expect(steps, program.state().length);
      for (int i = 0; i < steps; i++) {
        history.store(i);
        program.forward(i);
      }
      for (int i = steps - 1; i >= 0; i--) {
        history.restore(i, true);
        program.backward(i);
      }
    };
  }

  /** Every state in memory that was touched before. */
  static Contender memory(Touched memory) {
    return (program, steps) -> {
      for (int i = 0; i < steps; i++) {
        memory.store(i, program.state());
        program.forward(i);
      }
      for (int i = steps - 1; i >= 0; i--) {
        memory.restore(i, program.state());
        program.backward(i);
      }
    };
  }

  /**
   * A file for each state.
   *
   * @param synced whether the file is forced to its medium
   */
  static Contender files(Path directory, boolean synced) {
    return (program, steps) -> {
      Files.createDirectories(directory);
      for (int i = 0; i < steps; i++) {
        try (FileChannel file =
            FileChannel.open(
                directory.resolve("state-" + i),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
          file.write(ByteBuffer.wrap(program.state()));
          if (synced) {
            file.force(false);
          }
        }
        program.forward(i);
      }
      for (int i = steps - 1; i >= 0; i--) {
        Path file = directory.resolve("state-" + i);
        try (FileChannel in = FileChannel.open(file)) {
          in.read(ByteBuffer.wrap(program.state()));
        }
        Files.delete(file);
        program.backward(i);
      }
    };
  }

  /** A schedule over one tier, whose snapshots lie in touched memory. */
  static Contender schedule(Schedule schedule, Touched memory) {
    return (program, steps) -> {
      Deque<Integer> free = new ArrayDeque<>();
      for (int slot = 0; slot < schedule.tiers().get(0).slots(); slot++) {
        free.push(slot);
      }
      int[] slots = new int[steps];
      schedule
          .actions()
          .forEachRemaining(
              action -> {
                if (action instanceof Action.Forward forward) {
                  if (forward.restart()) {
                    int slot = free.pop();
                    slots[(int) forward.from()] = slot;
                    memory.store(slot, program.state());
                  }
                  for (long step = forward.from(); step < forward.to(); step++) {
                    program.forward(step);
                  }
                } else if (action instanceof Action.Copy copy) {
                  memory.restore(slots[(int) copy.step()], program.state());
                } else if (action instanceof Action.Move move) {
                  int slot = slots[(int) move.step()];
                  memory.restore(slot, program.state());
                  free.push(slot);
                } else if (action instanceof Action.Reverse reverse) {
                  program.backward(reverse.step());
                } else if (action instanceof Action.EndForward) {
                  program.forward(steps - 1);
                }
              });
    };
  }
}
