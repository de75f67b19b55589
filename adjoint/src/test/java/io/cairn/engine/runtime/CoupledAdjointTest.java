package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Checkpointer;
import io.cairn.adjoint.AdjointRunner;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryException;
import io.cairn.adjoint.history.HistorySettings;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.runtime.CoupledProgram.EndException;
import io.cairn.engine.runtime.CoupledProgram.Exchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four coupled ranks run forward and backward; all end at seeded calls of one of them, and start
 * again. Their files differ then, and yet they compute the same steps again.
 */
class CoupledAdjointTest {
  private static final int SIZE = 4;
  private static final int STEPS = 40;
  private static final int STATE_BYTES = 4096;

  @TempDir Path root;

  @Test
  @Timeout(60)
  void goOnTogether() throws Exception {
    endAndGoOn(6);
  }

  @Test
  @Tag("proof")
  void goOnTogetherFiftyTimes() throws Exception {
    endAndGoOn(50);
  }

  private void endAndGoOn(int ends) throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    int done = 0;
    for (int run = 0; done < ends; run++) {
      boolean all = run % 2 == 0;
      Schedule schedule = all ? Schedules.storeAll(STEPS) : Schedules.revolve(STEPS, 4);
      List<long[]> expected =
          life(Files.createDirectory(root.resolve("plain" + run)), schedule, 0, -1);
      Path here = Files.createDirectory(root.resolve("run" + run));
      List<long[]> found = List.of();
      while (found.isEmpty()) {
        int calls = done < ends ? random.nextInt(1, 3 * STEPS) : -1;
        found = life(here, schedule, random.nextInt(SIZE), calls);
        done += found.isEmpty() ? 1 : 0;
      }
      for (int rank = 0; rank < SIZE; rank++) {
        assertThat(found.get(rank)).as("run %d, rank %d", run, rank).isEqualTo(expected.get(rank));
      }
    }
  }

  /** Other ranks cannot go on without the one that read it; all of them start again. */
  @Test
  @Timeout(60)
  void aDamagedStateIsComputedAgainInTheNextLife() throws Exception {
    Schedule schedule = Schedules.storeAll(STEPS);
    List<long[]> expected = life(Files.createDirectory(root.resolve("plain")), schedule, 0, -1);
    Path here = Files.createDirectory(root.resolve("damaged"));
    assertThat(life(here, schedule, 0, STEPS + 5)).isEmpty();
    damage(here.resolve("rank1/states/states-00000"));
    assertThat(life(here, schedule, 0, -1)).as("a life with a damaged state").isEmpty();

    List<long[]> found = life(here, schedule, 0, -1);

    assertThat(found).hasSize(SIZE);
    for (int rank = 0; rank < SIZE; rank++) {
      assertThat(found.get(rank)).as("rank %d", rank).isEqualTo(expected.get(rank));
    }
  }

  /** A byte of a state that the backward phase reads. */
  private static void damage(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[10 * STATE_BYTES + 5] ^= 1;
    Files.write(file, bytes);
  }

  /** The gradients of all ranks; none if the ranks ended before. */
  private static List<long[]> life(Path here, Schedule schedule, int victim, int calls)
      throws Exception {
    Exchange exchange = new Exchange(SIZE);
    try (Ranks ranks = new Ranks(here, SIZE, "node.every", "1", "store.every", "4")) {
      List<Optional<long[]>> results =
          ranks.each(
              (rank, checkpointer) ->
                  run(
                      here.resolve("rank" + rank),
                      checkpointer,
                      schedule,
                      new CoupledProgram(rank, exchange, rank == victim ? calls : -1)));
      return results.stream().flatMap(Optional::stream).toList();
    }
  }

  private static Optional<long[]> run(
      Path here, Checkpointer checkpointer, Schedule schedule, CoupledProgram program)
      throws IOException {
    HistorySettings settings =
        new HistorySettings(6 * STATE_BYTES, 4096, here.resolve("states"), 99 * STATE_BYTES);
    try (DeviceMemory device =
            SharedMemoryDevice.open(here.resolve("memory"), here.resolve("memory"), 1 << 16);
        History history = History.resume(device, settings)) {
      new AdjointRunner(history, checkpointer, 7).run(program, schedule);
      return Optional.of(program.gradient());
    } catch (EndException e) {
      return Optional.empty();
    } catch (HistoryException e) {
      assertThatThrownBy(program::end).isInstanceOf(EndException.class);
      return Optional.empty();
    }
  }
}
