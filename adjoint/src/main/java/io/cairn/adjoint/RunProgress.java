package io.cairn.adjoint;

import io.cairn.Region;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.LongPredicate;

/**
 * Which run it is, and how far: the calls of the program that are done, and the number of its steps
 * as soon as it is known. Checkpoints hold it.
 */
final class RunProgress {
  private static final int BYTES = 40;
  private static final long UNKNOWN = -1;

  private long calls;

  /** Steps before which the program said that they are not the last one. */
  private long asked;

  private long steps = UNKNOWN;

  /** Another one for each start of a program from its first step. */
  private UUID run = UUID.randomUUID();

  UUID run() {
    return run;
  }

  long calls() {
    return calls;
  }

  void called() {
    calls++;
  }

  void startAfresh() {
    calls = 0;
    asked = 0;
    steps = UNKNOWN;
    run = UUID.randomUUID();
  }

  /** Whether a step is the last one; asks the program once for each step, also after a kill. */
  boolean isLast(long step, LongPredicate program) {
    if (step < asked || steps != UNKNOWN) {
      return step == steps - 1;
    }
    asked = step + 1;
    if (program.test(step)) {
      steps = step + 1;
      return true;
    }
    return false;
  }

  Region region() {
    return Region.of("adjoint-progress", this::save, this::load);
  }

  private byte[] save() {
    return ByteBuffer.allocate(BYTES)
        .putLong(calls)
        .putLong(asked)
        .putLong(steps)
        .putLong(run.getMostSignificantBits())
        .putLong(run.getLeastSignificantBits())
        .array();
  }

  private void load(byte[] saved) {
    ByteBuffer bytes = ByteBuffer.wrap(saved);
    calls = bytes.getLong();
    asked = bytes.getLong();
    steps = bytes.getLong();
    if (bytes.hasRemaining()) { // else of a version that did not name runs
      run = new UUID(bytes.getLong(), bytes.getLong());
    }
  }
}
