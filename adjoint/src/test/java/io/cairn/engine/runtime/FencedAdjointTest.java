package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.adjoint.AdjointProgram;
import io.cairn.adjoint.AdjointRunner;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.engine.coordination.Coordination;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rank of a coupled group dies and comes back, while the other one goes on by itself. No
 * checkpoint was sealed, so the group starts afresh.
 */
@Timeout(60)
class FencedAdjointTest {
  private static final int STEPS = 20;
  private static final int STATE_BYTES = 4096;

  /** Neither rank comes so far alone. */
  private static final int CALLS_PER_SEAL = 30;

  private static final int CALLS_OF_THE_DEAD = 25;

  @TempDir Path root;
  private final CountDownLatch fenced = new CountDownLatch(1);

  @Test
  void aGroupThatStartsAfreshForgetsItsReversals() throws Exception {
    bothEnd(CALLS_PER_SEAL, CALLS_PER_SEAL - STEPS);
  }

  @Test
  void aRankWhoseGroupStartsAfreshDoesNotEndBefore() throws Exception {
    bothEnd(100, STEPS);
  }

  /** The survivor's reversal of that number waits until the other rank is back. */
  private void bothEnd(long callsPerSeal, int waiting) throws Exception {
    Toy expected = Toy.undisturbed();
    try (Ranks ranks = new Ranks(root, 2)) {
      ranks.cairn(0).coordinateCoupledGroups(new Watched(ranks.coordination(), fenced));
      Future<Toy> survives =
          ranks.start(0, (rank, c) -> run(rank, c, callsPerSeal, new Waiting(fenced, waiting)));
      Future<Toy> dies =
          ranks.start(1, (rank, c) -> run(rank, c, callsPerSeal, new Mortal(CALLS_OF_THE_DEAD)));
      assertThatThrownBy(() -> Ranks.result(dies)).hasMessage("the end");
      Future<Toy> again = ranks.start(1, (rank, c) -> run(rank, c, callsPerSeal, new Toy()));

      for (Future<Toy> each : List.of(survives, again)) {
        Toy found = Ranks.result(each);
        assertThat(found.gradient).isEqualTo(expected.gradient);
        assertThat(found.sum).isEqualTo(expected.sum);
        assertThat(found.record).isEqualTo(expected.record);
        assertThat(found.count).isEqualTo(expected.count);
      }
    }
  }

  private Toy run(int rank, Checkpointer checkpointer, long callsPerSeal, Toy program)
      throws IOException {
    Path here = root.resolve("rank" + rank);
    HistorySettings settings =
        new HistorySettings(6 * STATE_BYTES, 4096, here.resolve("states"), 99 * STATE_BYTES);
    try (DeviceMemory device =
            SharedMemoryDevice.open(here.resolve("memory"), here.resolve("memory"), 1 << 16);
        History history = History.resume(device, settings)) {
      new AdjointRunner(history, checkpointer, callsPerSeal)
          .run(program, Schedules.storeAll(STEPS));
      return program;
    }
  }

  /** Notices that a rank was fenced. */
  private record Watched(Coordination below, CountDownLatch fenced) implements Coordination {
    @Override
    public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
      return below.connect(
          member,
          incarnation,
          message -> {
            inbox.accept(message);
            if (message instanceof CoordinatorMessage.Fenced) {
              fenced.countDown();
            }
          });
    }
  }

  /** Each reversal adds to what is there. Its regions are of all kinds of the host's memory. */
  private static class Toy implements AdjointProgram {
    private final long[] state = new long[STATE_BYTES / Long.BYTES];
    final long[] gradient = new long[100];
    final ByteBuffer sum = ByteBuffer.allocateDirect(Long.BYTES);
    List<Long> record = new ArrayList<>();
    long[] count = new long[1];

    Toy() {
      Arrays.setAll(state, i -> i);
      Arrays.fill(gradient, 7);
    }

    static Toy undisturbed() {
      Toy toy = new Toy();
      List<long[]> states = new ArrayList<>();
      for (int step = 0; step < STEPS; step++) {
        states.add(toy.state.clone());
        toy.step(step);
      }
      for (int step = STEPS - 1; step >= 0; step--) {
        System.arraycopy(states.get(step), 0, toy.state, 0, toy.state.length);
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
      return List.of(
          Region.of("state", state),
          Region.gather("gradient", List.of(gradient)),
          Region.of("sum", sum),
          Region.of("record", this::saved, this::load),
          Region.resizable(
              "count", () -> count, bytes -> count = new long[(int) bytes / Long.BYTES]));
    }

    private byte[] saved() {
      ByteBuffer bytes = ByteBuffer.allocate(record.size() * Long.BYTES);
      record.forEach(bytes::putLong);
      return bytes.array();
    }

    private void load(byte[] saved) {
      record = new ArrayList<>();
      for (ByteBuffer bytes = ByteBuffer.wrap(saved); bytes.hasRemaining(); ) {
        record.add(bytes.getLong());
      }
    }

    @Override
    public void step(long step) {
      record.add(state[0]);
      for (int i = 0; i < state.length; i++) {
        state[i] = (state[i] + step) * 31;
      }
    }

    @Override
    public void reverse(long step) {
      for (int i = 0; i < gradient.length; i++) {
        gradient[i] += state[i];
      }
      sum.putLong(0, sum.getLong(0) + state[1]);
      count = Arrays.copyOf(count, count.length + 1);
      count[count.length - 1] = step;
    }
  }

  /** Waits in one of its reversals until it was fenced. */
  private static final class Waiting extends Toy {
    private final CountDownLatch fenced;
    private int left;

    Waiting(CountDownLatch fenced, int left) {
      this.fenced = fenced;
      this.left = left;
    }

    @Override
    public void reverse(long step) {
      super.reverse(step);
      if (--left == 0) {
        try {
          fenced.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  /** Dies in a call. */
  private static final class Mortal extends Toy {
    private int left;

    Mortal(int left) {
      this.left = left;
    }

    @Override
    public void step(long step) {
      super.step(step);
      called();
    }

    @Override
    public void reverse(long step) {
      super.reverse(step);
      called();
    }

    private void called() {
      if (--left == 0) {
        throw new IllegalStateException("the end");
      }
    }
  }
}
