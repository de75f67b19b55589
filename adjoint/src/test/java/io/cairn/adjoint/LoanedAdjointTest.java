package io.cairn.adjoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryException;
import io.cairn.adjoint.history.HistoryPlaces;
import io.cairn.adjoint.history.HistoryProcess;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.history.MachinePeers;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.Until;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An adjoint program whose states lie in memory of another process, which is killed. */
@Timeout(120)
class LoanedAdjointTest {
  private static final int STEPS = 80;
  private static final int LENT_STATES = 59;

  @TempDir Path root;

  @ParameterizedTest
  @ValueSource(ints = {40, 80, 110})
  void theResultHasTheBitsOfTheUndisturbedRun(int call) throws IOException {
    try (ChildProcess lender = HistoryProcess.command(root, 1, LENT_STATES + 1, 0).start()) {
      lender.await("ready");
      lender.send("expect", 1);
      lender.await("expects");

      AdjointReport report = run(lender, call, 120, Schedules.storeAll(STEPS));

      assertThat(report.recomputed()).isPositive();
    }
  }

  /**
   * Without files no state outlives the lender, so none is left from which steps could run. The
   * schedule has slots for more states than there are, so that memory for all is lent.
   */
  @Test
  void aRunWithoutItsInitialStateEnds() throws IOException {
    try (ChildProcess lender = HistoryProcess.command(root, 1, 2 * LENT_STATES + 1, 0).start()) {
      lender.await("ready");
      lender.send("expect", 1);
      lender.await("expects");

      assertThatThrownBy(() -> run(lender, 110, 0, Schedules.revolve(STEPS, 2 * LENT_STATES)))
          .isInstanceOf(HistoryException.class)
          .hasMessageContaining("the initial state is lost");
    }
  }

  private AdjointReport run(ChildProcess lender, int call, int fileStates, Schedule schedule)
      throws IOException {
    HistorySettings settings =
        new HistorySettings(
            8 * AdjointLife.STATE_BYTES,
            4096,
            root.resolve("states"),
            (long) fileStates * AdjointLife.STATE_BYTES);
    Topology topology = Topology.uniform(2, 24e9, 1);
    try (CairnEngine cairn = CairnEngine.open(AdjointLife.config(root));
        Checkpointer checkpointer = cairn.join("run");
        DeviceMemory device = SharedMemoryDevice.open(root, root, 1 << 20);
        MachinePeers peers = MachinePeers.join(root.resolve("peers"), topology, 0);
        History history = History.resume(HistoryPlaces.on(device).withPeers(peers), settings)) {
      ToyProgram program = new BereavedProgram(lender, call, history, peers);
      AdjointReport report = new AdjointRunner(history, checkpointer, 6).run(program, schedule);
      ToyProgram expected = ToyProgram.undisturbed(STEPS);
      assertThat(program.gradient).isEqualTo(expected.gradient);
      assertThat(program.record).isEqualTo(expected.record);
      assertThat(history.stats().lost()).isPositive();
      return report;
    }
  }

  /** Waits for memory of the other process, and kills that one in one of its calls. */
  private static final class BereavedProgram extends ToyProgram {
    private final ChildProcess lender;
    private final int call;
    private final History history;
    private final MachinePeers peers;
    private int calls;
    private int asked;

    BereavedProgram(ChildProcess lender, int call, History history, MachinePeers peers) {
      super(STEPS);
      this.lender = lender;
      this.call = call;
      this.history = history;
      this.peers = peers;
    }

    @Override
    public long least(long mine) {
      asked++;
      assertThat(asked).as("questions to the group").isLessThan(1000);
      return mine;
    }

    @Override
    public void step(long step) {
      called();
      super.step(step);
    }

    @Override
    public void reverse(long step) {
      called();
      super.reverse(step);
    }

    private void called() {
      if (calls++ == 0) {
        Until.holds(() -> peers.borrowedBytes() > 0);
      } else if (calls == call) {
        kill();
        Until.holds(() -> history.stats().lost() > 0);
      }
    }

    private void kill() {
      try {
        lender.kill();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
