package io.cairn.adjoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.adjoint.schedule.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class AdjointRunnerTest {
  private static final int STEPS = 60;
  private static final Map<String, Function<LongPredicate, Schedule>> SCHEDULES = schedules();

  @TempDir Path directory;

  private static Map<String, Function<LongPredicate, Schedule>> schedules() {
    Map<String, Function<LongPredicate, Schedule>> all = new TreeMap<>();
    all.put("storeAll", isLast -> Schedules.storeAll(STEPS));
    all.put("everyNth", isLast -> Schedules.everyNth(STEPS, 7));
    all.put("everyTenth", isLast -> Schedules.everyNth(STEPS, 10));
    all.put("revolve", isLast -> Schedules.revolve(STEPS, 4));
    all.put(
        "tiers",
        isLast -> Schedules.tiers(STEPS, List.of(Tier.free(2), new Tier("disk", 5, 2, 2)), 1));
    all.put("overlapped", isLast -> overlapped());
    all.put("periodic", isLast -> Schedules.periodic(STEPS, 20, 2));
    all.put("mixed", isLast -> Schedules.mixed(STEPS, 8));
    all.put("online", isLast -> Schedules.online(5, isLast));
    return all;
  }

  private static Schedule overlapped() {
    List<Tier> tiers = List.of(new Tier("device", 6, 1, 1), new Tier("files", 9, 4, 3));
    return Schedules.overlapped(STEPS, tiers, 2, 4);
  }

  /** A life of the program, which may end before its run does. */
  private AdjointReport live(ToyProgram program, String schedule, String name) throws IOException {
    return AdjointLife.live(
        directory.resolve(name), 10, program, Objects.requireNonNull(SCHEDULES.get(schedule)));
  }

  private static void requireExact(ToyProgram program, String name) {
    ToyProgram expected = ToyProgram.undisturbed(STEPS);
    assertThat(program.gradient).as(name).isEqualTo(expected.gradient);
    assertThat(program.record).as(name).isEqualTo(expected.record);
  }

  @Test
  void everyScheduleGivesTheSameGradient() throws IOException {
    for (Map.Entry<String, Function<LongPredicate, Schedule>> each : SCHEDULES.entrySet()) {
      ToyProgram program = new ToyProgram(STEPS);
      AdjointReport report = live(program, each.getKey(), each.getKey());
      requireExact(program, each.getKey());
      assertThat(report.reversals()).isEqualTo(STEPS);
      assertThat(report.resumedAt()).isZero();
      assertThat(report.recomputed()).isZero();
      long advances = each.getValue().apply(step -> step == STEPS - 1).cost().advances();
      assertThat(report.steps()).as(each.getKey()).isEqualTo(advances + 1);
    }
  }

  @Test
  void aRunThatHasEndedComputesNothing() throws IOException {
    live(new ToyProgram(STEPS), "storeAll", "again");
    ToyProgram program = new ToyProgram(STEPS);
    AdjointReport report = live(program, "storeAll", "again");
    requireExact(program, "again");
    assertThat(report.steps() + report.reversals()).isZero();
    assertThat(report.resumedAt()).isEqualTo(2 * STEPS);
  }

  @Test
  void goesOnWhereverItEnded() throws IOException {
    for (Map.Entry<String, Function<LongPredicate, Schedule>> each : SCHEDULES.entrySet()) {
      for (int seed = 0; seed < 3; seed++) {
        String name = each.getKey() + ", seed " + seed;
        SplittableRandom random = new SplittableRandom(seed);
        ToyProgram program = new EndingProgram(random.nextInt(60, 200));
        boolean ended = false;
        for (int life = 0; !ended; life++) {
          assertThat(life).as(name).isLessThan(20);
          try {
            live(program, each.getKey(), each.getKey() + seed);
            ended = true;
          } catch (EndException e) {
            program = new EndingProgram(random.nextInt(60, 200));
          }
        }
        requireExact(program, name);
      }
    }
  }

  @Test
  void goesOnWithTapesThatAreNoPartOfTheState() throws IOException {
    PackingProgram expected = new PackingProgram(-1);
    live(expected, "storeAll", "packing");
    for (String schedule : List.of("storeAll", "everyNth", "revolve")) {
      for (int seed = 0; seed < 3; seed++) {
        String name = "packing, " + schedule + ", seed " + seed;
        SplittableRandom random = new SplittableRandom(seed);
        PackingProgram program = new PackingProgram(random.nextInt(20, 150));
        for (boolean ended = false; !ended; ) {
          try {
            live(program, schedule, name);
            ended = true;
          } catch (EndException e) {
            program = new PackingProgram(random.nextInt(60, 200));
          }
        }
        assertThat(program.gradient).as(name).isEqualTo(expected.gradient);
      }
    }
  }

  @Test
  void aDamagedStateIsComputedAgain() throws IOException {
    for (String schedule : List.of("storeAll", "revolve")) {
      String name = "damaged " + schedule;
      assertThatThrownBy(() -> live(new EndingProgram(75), schedule, name))
          .isInstanceOf(EndException.class);
      Path file = directory.resolve(name).resolve("states/states-00000");
      byte[] bytes = Files.readAllBytes(file);
      for (int at = 0; at < bytes.length; at += 3000) {
        bytes[at] ^= 1;
      }
      Files.write(file, bytes);
      ToyProgram program = new ToyProgram(STEPS);
      AdjointReport report = live(program, schedule, name);
      requireExact(program, name);
      assertThat(report.recomputed()).as(name).isPositive();
    }
  }

  @Test
  void fewStatesStayThatNobodyNeeds() throws IOException {
    int snapshots = 20;
    for (int calls : new int[] {90, 40, 30, Integer.MAX_VALUE}) {
      List<Integer> held = new ArrayList<>();
      CountingProgram[] last = new CountingProgram[1];
      try {
        AdjointLife.live(
            directory.resolve("stale"),
            2,
            history -> last[0] = new CountingProgram(calls, history, held),
            isLast -> Schedules.revolve(STEPS, snapshots));
        requireExact(last[0], "stale");
      } catch (EndException e) {
        assertThat(calls).isLessThan(Integer.MAX_VALUE);
      }
      assertThat(held)
          .as("states in %d calls", calls)
          .isNotEmpty()
          .allMatch(states -> states <= snapshots + 8);
    }
  }

  @Test
  void theSameScheduleOfAnotherLengthIsRefused() throws IOException {
    assertThatThrownBy(() -> live(new EndingProgram(30), "everyNth", "length"))
        .isInstanceOf(EndException.class);
    assertThatThrownBy(() -> live(new ToyProgram(STEPS), "everyTenth", "length"))
        .hasMessageContaining("schedule");
  }

  @Test
  void anotherScheduleIsRefused() throws IOException {
    assertThatThrownBy(() -> live(new EndingProgram(30), "storeAll", "other"))
        .isInstanceOf(EndException.class);
    assertThatThrownBy(() -> live(new ToyProgram(STEPS), "revolve", "other"))
        .hasMessageContaining("schedule");
  }

  private static final class EndException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** Ends after some calls, in the middle of one. */
  private static class EndingProgram extends ToyProgram {
    private int left;

    EndingProgram(int calls) {
      super(STEPS);
      left = calls;
    }

    @Override
    public void step(long step) {
      super.step(step);
      end();
    }

    @Override
    public void reverse(long step) {
      super.reverse(step);
      end();
    }

    final void end() {
      left--;
      if (left == 0) {
        throw new EndException();
      }
    }
  }

  /** Notes after each reversal how many states its history has. */
  private static final class CountingProgram extends EndingProgram {
    private final History history;
    private final List<Integer> held;

    CountingProgram(int calls, History history, List<Integer> held) {
      super(calls);
      this.history = history;
      this.held = held;
    }

    @Override
    public void reverse(long step) {
      held.add(history.steps().length);
      super.reverse(step);
    }
  }

  /** Reverses a step from a part of the state, which lies in memory of its own. */
  private static final class PackingProgram extends EndingProgram {
    private final long[] part = new long[100];
    private int length;

    PackingProgram(int calls) {
      super(calls);
      restored();
    }

    @Override
    public List<Region> read() {
      return List.of(Region.of("part", part));
    }

    @Override
    public long readBytes(String region) {
      return 8L * length;
    }

    @Override
    public void restored() {
      length = 50 + (int) Math.floorMod(state[3], 50L);
      System.arraycopy(state, 0, part, 0, length);
    }

    @Override
    public void step(long step) {
      super.step(step);
      restored();
    }

    @Override
    public void reverse(long step) {
      for (int i = 0; i < 50; i++) {
        gradient[i] = (gradient[i] + part[i]) * 31 + step;
      }
      end();
    }
  }
}
