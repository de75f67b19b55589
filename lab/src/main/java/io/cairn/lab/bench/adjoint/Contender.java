package io.cairn.lab.bench.adjoint;

import io.cairn.adjoint.history.History;
import io.cairn.adjoint.schedule.Action;
import io.cairn.adjoint.schedule.Schedule;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

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

  /** Where a schedule keeps its states. */
  interface Snapshots {
    void store(long step);

    /** Puts a state back; the last read drops it. */
    void restore(long step, boolean last);
  }

  /** A schedule over one tier, whose snapshots lie in touched memory. */
  static Contender schedule(Schedule schedule, Touched memory) {
    return (program, steps) ->
        perform(schedule, program, steps, new TouchedSlots(schedule, memory, program, steps));
  }

  /**
   * A schedule whose states a history keeps. The history decides by itself which place has them.
   *
   * @param kept states that the forward phase keeps
   */
  static Contender schedule(Schedule schedule, History history, long kept) {
    return (program, steps) -> {
      history.expect(kept, program.state().length);
      perform(
          schedule,
          program,
          steps,
          new Snapshots() {
            @Override
            public void store(long step) {
              history.store(step);
            }

            @Override
            public void restore(long step, boolean last) {
              history.restore(step, last);
            }
          });
    };
  }

  private static void perform(Schedule schedule, Program program, int steps, Snapshots snapshots) {
    schedule
        .actions()
        .forEachRemaining(
            action -> {
              if (action instanceof Action.Forward forward) {
                if (forward.restart()) {
                  snapshots.store(forward.from());
                }
                for (long step = forward.from(); step < forward.to(); step++) {
                  program.forward(step);
                }
              } else if (action instanceof Action.Copy copy) {
                snapshots.restore(copy.step(), false);
              } else if (action instanceof Action.Move move) {
                snapshots.restore(move.step(), true);
              } else if (action instanceof Action.Reverse reverse) {
                program.backward(reverse.step());
              } else if (action instanceof Action.EndForward) {
                program.forward(steps - 1);
              }
            });
  }
}
