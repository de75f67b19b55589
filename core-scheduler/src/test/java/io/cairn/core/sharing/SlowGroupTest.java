package io.cairn.core.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.protocol.VirtualTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A group of three ranks whose remainders fit two lenders. Every message takes 5 to 60 ms on a
 * quick machine; on a slow one, twenty times as long. A rank leaves a checkpoint out if its plan,
 * or a lender's grant, misses the deadline.
 */
class SlowGroupTest {
  private static final int RANKS = 3;
  private static final int CHECKPOINTS = 40;
  private static final long MILLI = 1_000_000;
  private static final long PATIENCE = 1000 * MILLI;
  private static final GroupId GROUP = new GroupId("job", "group");

  private final VirtualTime time = new VirtualTime();
  private final Map<Long, Set<Integer>> placed = new HashMap<>();
  private final Rank[] ranks = new Rank[RANKS];
  private final PlanDesk desk =
      new PlanDesk(
          new DeskTerms(5 * MILLI, PATIENCE / 2, 100, 1000),
          sites -> Topology.uniform(sites.size(), 10, 0),
          new ParametricFlowScheduler(true, false));

  static LongStream seeds() {
    return LongStream.range(0, 50);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aQuickGroupSealsEveryCheckpoint(long seed) {
    run(seed, 1);

    assertThat(sealed()).as("seed %d", seed).isEqualTo(CHECKPOINTS);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aGroupThatIsTwentyTimesSlowerStillSeals(long seed) {
    run(seed, 20);

    assertThat(sealed()).as("seed %d", seed).isGreaterThan(CHECKPOINTS * 3 / 4);
  }

  private long sealed() {
    return placed.values().stream().filter(of -> of.size() == RANKS).count();
  }

  private void run(long seed, int stretch) {
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    for (String lender : new String[] {"x", "y"}) {
      on(new DeskMessage.Registered(new HolderSite(lender, "node", 0)));
      on(new DeskMessage.Spare(lender, 3, 1));
    }
    for (int rank = 0; rank < RANKS; rank++) {
      on(new DeskMessage.Registered(new HolderSite("r" + rank, "node", 0)));
      ranks[rank] = new Rank(rank, random, stretch);
      ranks[rank].next(0);
    }
    while (time.step(Long.MAX_VALUE)) {
      // until every rank has ended
    }
  }

  private void on(DeskEvent event) {
    for (DeskAction action : desk.on(event, time.nowMillis() * MILLI)) {
      if (action instanceof DeskAction.Answer answer) {
        Rank rank = ranks[answer.answer().rank()];
        time.after(rank.delay(), () -> rank.planned((PlanAnswer.Part) answer.answer()));
      } else if (action instanceof DeskAction.WakeAt wake) {
        long millis = Math.max(0, (wake.nanos() + MILLI - 1) / MILLI - time.nowMillis());
        time.after(millis, () -> on(new DeskEvent.Clock()));
      }
    }
  }

  /** One rank with a remainder of two chunks; its next checkpoint follows the end of the last. */
  private final class Rank {
    private final int number;
    private final Random random;
    private final int stretch;
    private final Patience plans = new Patience(PATIENCE);
    private final Patience lenders = new Patience(PATIENCE);
    private final Map<Long, Long> reportedAt = new HashMap<>();
    private long iteration;

    /** The wait that is open, and the last one for a plan. */
    private int open;

    private int forPlan;
    private int waits;

    Rank(int number, Random random, int stretch) {
      this.number = number;
      this.random = random;
      this.stretch = stretch;
    }

    long delay() {
      return (long) stretch * (5 + random.nextInt(56));
    }

    void next(long following) {
      open = 0;
      iteration = following;
      if (iteration < CHECKPOINTS) {
        time.after(delay(), this::report);
      }
    }

    private void report() {
      Member member = new Member(GROUP, number, RANKS);
      DeskMessage report = new DeskMessage.Report(member, 1, iteration, "r" + number, 2, 0, 1);
      reportedAt.put(iteration, time.nowMillis());
      time.after(delay(), () -> on(report));
      forPlan = await(plans);
    }

    /** Begins to wait; the checkpoint is left out if the wait is open at the deadline. */
    private int await(Patience patience) {
      int mine = ++waits;
      open = mine;
      time.after(
          patience.nanos() / MILLI,
          () -> {
            if (open == mine) {
              next(iteration + 1);
            }
          });
      return mine;
    }

    void planned(PlanAnswer.Part part) {
      long of = part.checkpoint().iteration();
      plans.took((time.nowMillis() - reportedAt.getOrDefault(of, 0L)) * MILLI);
      if (of == iteration && open == forPlan) {
        if (part.hostChunks() == 0) {
          acquire();
        } else {
          next(iteration + 1);
        }
      }
    }

    private void acquire() {
      long asked = time.nowMillis();
      int mine = await(lenders);
      time.after(
          delay() + delay(),
          () -> {
            lenders.took((time.nowMillis() - asked) * MILLI);
            if (open == mine) {
              placed.computeIfAbsent(iteration, i -> new HashSet<>()).add(number);
              next(iteration + 1);
            }
          });
    }
  }
}
