package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.core.protocol.Standing;
import io.cairn.engine.config.ResumePolicy;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.StoreWait;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.RestorePlanner;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A rank restores on a machine without a copy of its own, in virtual time. STORE has iteration 1,
 * and its group knows that another node has iteration 370.
 */
@Timeout(60)
class AwaitedNodeTest {
  private static final long EPOCH = 3;
  private static final Member MEMBER = new Member(new GroupId("job", "run"), 0, 1);
  private static final String NODE = "far:/dev/shm/node";
  private static final long ITERATION_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final DelayedDevice device = new DelayedDevice(4096, 1);
  private final List<MemberMessage.Offer> offers = new ArrayList<>();
  private final List<Optional<RankSurvey>> surveys = new ArrayList<>();
  private Optional<NodeSeal.Copy> known = known(370, ITERATION_NANOS);
  private Duration patience = Duration.ofSeconds(10);
  private ResumePolicy policy = ResumePolicy.AUTO;

  /** The program that wrote all checkpoints. */
  private Fingerprint writer = Fingerprint.NONE.with(Fingerprint.RUN, "an earlier run");

  /** When the node is served, in virtual time. */
  private long servedMillis = Long.MAX_VALUE;

  /** Whether it has its copy then; the first process that serves it may be dead. */
  private boolean hasCopy = true;

  private long firstDiesMillis = -1;
  private Duration storePatience = Duration.ZERO;

  /** The surveys, by their order, in which a source cannot be asked. */
  private final Map<Integer, Level> failing = new TreeMap<>();

  private long atStore = 1;
  private long nowMillis;

  private static Optional<NodeSeal.Copy> known(long iteration, long nanos) {
    return Optional.of(new NodeSeal.Copy(id(iteration), NODE, nanos));
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(MEMBER.group(), 1, iteration);
  }

  @AfterEach
  void close() {
    device.close();
  }

  private boolean isServed() {
    return nowMillis >= servedMillis || nowMillis <= firstDiesMillis;
  }

  /** The iterations that the rank offers. */
  private List<Long> restored(Predicate<CheckpointId> wanted) {
    var unused =
        new GroupRestore(
                new Membership(
                    new Coordinator(),
                    MEMBER,
                    new Origin("birth", 0),
                    () -> {},
                    new VirtualPauses(),
                    Duration.ofMinutes(1),
                    System::nanoTime,
                    aside -> {}),
                MEMBER,
                new PlayedPlanners(),
                regions(),
                new Start("", "run", policy, true, Set.of()),
                Landing.NONE,
                () -> new StoreWait("rank", storePatience, this::nowNanos),
                epoch -> false,
                this::nowNanos)
            .run(wanted);
    return offers.get(0).candidates().stream().map(each -> each.id().iteration()).toList();
  }

  private ProtectedRegions regions() {
    ProtectedRegions regions = new ProtectedRegions(device, 64);
    regions.describe(Fingerprint.RUN, "run");
    return regions;
  }

  private long nowNanos() {
    return TimeUnit.MILLISECONDS.toNanos(nowMillis);
  }

  private List<Long> restored() {
    return restored(id -> true);
  }

  @Test
  void theNodeIsWaitedForUntilItIsServed() {
    servedMillis = 3_500;

    assertThat(restored()).containsExactly(370L, 1L);

    assertThat(nowMillis).isBetween(3_500L, 3_750L);
    assertThat(offers.get(0).outOfReach()).isFalse();
  }

  /** Nobody commits meanwhile. */
  @Test
  void theWaitListsStoreNoMore() {
    servedMillis = 3_500;

    restored();

    assertThat(surveys).hasSizeLessThan(3).containsOnly(Optional.of(new RankSurvey(List.of())));
  }

  @Test
  void aNodeThatNeverComesBackIsWaitedForSoLong() {
    assertThat(restored()).containsExactly(1L);

    assertThat(nowMillis).isEqualTo(10_000);
    assertThat(offers.get(0).outOfReach()).isTrue();
  }

  @Test
  void aWaitLastsNoLongerThanTwiceTheWorkThatIsLost() {
    known = known(11, ITERATION_NANOS);

    restored();

    assertThat(nowMillis).isBetween(400L, 650L);
  }

  @Test
  void theWorkSinceARollbackIsNotKnown() {
    atStore = 400;
    known = Optional.of(new NodeSeal.Copy(new CheckpointId(MEMBER.group(), 2, 370), NODE, 1));

    restored();

    assertThat(nowMillis).isEqualTo(10_000);
  }

  @Test
  void nothingIsWaitedForIfAsMuchIsAtHand() {
    atStore = 370;

    assertThat(restored()).containsExactly(370L);

    assertThat(nowMillis).isZero();
    assertThat(offers.get(0).outOfReach()).isFalse();
  }

  @Test
  void nothingIsWaitedForAtAFreshStart() {
    known = Optional.empty();
    atStore = -1;

    assertThat(restored()).isEmpty();

    assertThat(nowMillis).isZero();
  }

  /** Its machine came back empty. */
  @Test
  void aNodeThatAnswersWithoutItsCopyEndsTheWaitAtOnce() {
    servedMillis = 2_000;
    hasCopy = false;

    assertThat(restored()).containsExactly(1L);

    assertThat(nowMillis).isBetween(2_000L, 2_250L);
    assertThat(offers.get(0).outOfReach()).isTrue();
  }

  /** The desk hears of the death a moment later. */
  @Test
  void aProcessThatIsKnownAndDeadDoesNotEndTheWait() {
    firstDiesMillis = 0;
    servedMillis = 3_000;

    assertThat(restored()).containsExactly(370L, 1L);
  }

  @Test
  void aRollbackBeforeItDoesNotWantIt() {
    assertThat(restored(id -> id.iteration() < 300)).containsExactly(1L);

    assertThat(nowMillis).isZero();
    assertThat(offers.get(0).outOfReach()).isFalse();
  }

  @Test
  void aNewRunThatNeverResumesWaitsForNoEarlierOne() {
    policy = ResumePolicy.NEVER;

    restored();

    assertThat(nowMillis).isZero();
    assertThat(offers.get(0).outOfReach()).isFalse();
  }

  /** A retry on another machine began no epoch of its run before this one. */
  @Test
  void aRetryOfARunThatNeverResumesWaitsForItsOwn() {
    policy = ResumePolicy.NEVER;
    writer = Fingerprint.NONE.with(Fingerprint.RUN, "run");
    servedMillis = 3_500;

    assertThat(restored()).containsExactly(370L, 1L);
  }

  @Test
  void withoutPatienceNothingIsWaitedForAndTheLossIsReported() {
    patience = Duration.ZERO;

    assertThat(restored()).containsExactly(1L);

    assertThat(nowMillis).isZero();
    assertThat(offers.get(0).outOfReach()).isTrue();
  }

  @Test
  void aStoreThatFailsWhenTheNodeIsAskedIsWaitedFor() {
    storePatience = Duration.ofSeconds(5);
    servedMillis = 3_500;
    failing.put(1, Level.NODE); // so that the rank lists STORE itself
    failing.put(3, Level.STORE);

    assertThat(restored()).containsExactly(370L, 1L);

    assertThat(surveys).hasSize(4);
  }

  /** The sources of a rank: STORE, and the other node once it is served. */
  private final class PlayedPlanners implements Planners {
    @Override
    public RestorePlanner planner(Optional<RankSurvey> survey) {
      surveys.add(survey);
      boolean far = nowMillis >= servedMillis && hasCopy;
      if (surveys.size() > 1) {
        firstDiesMillis = -1; // it left the question unanswered
      }
      return new RestorePlanner(
          List.of(played(Level.NODE, far ? 370 : -1), played(Level.STORE, atStore)));
    }

    private CopySource played(Level level, long iteration) {
      return new Played(level, iteration, failing.get(surveys.size()) == level, writer);
    }

    @Override
    public Nodes nodes() {
      return new Nodes() {
        @Override
        public String own() {
          return "here:/node";
        }

        @Override
        public boolean isReached(String node) {
          assertThat(node).isEqualTo(NODE);
          return isServed();
        }

        @Override
        public Duration patience() {
          return patience;
        }
      };
    }
  }

  /** A source with one checkpoint, or with none if its iteration is negative. */
  private record Played(Level level, long iteration, boolean fails, Fingerprint writer)
      implements CopySource {
    @Override
    public String describe() {
      return "played";
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
      if (fails) {
        throw new IOException("connection refused");
      }
      Map<CheckpointId, Holding> holdings = new TreeMap<>();
      if (iteration >= 0) {
        Candidate candidate = new Candidate(id(iteration), Digest.of(new byte[0]), Ancestry.NONE);
        holdings.put(candidate.id(), Holding.of(1, candidate, true));
      }
      return holdings;
    }

    @Override
    public Map<Integer, Fingerprint> programs(CheckpointId id) {
      return Map.of(0, writer);
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) {
      return Optional.empty();
    }
  }

  /** Says what the group knows, and lets it start afresh whatever is offered. */
  private final class Coordinator implements Coordination {
    @Override
    public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
      return new Link() {
        @Override
        public void send(MemberMessage message) {
          if (message instanceof MemberMessage.Join) {
            inbox.accept(
                new CoordinatorMessage.Joined(
                    EPOCH,
                    CadencePlan.every(1, 10, 50),
                    Optional.of(new RankSurvey(List.of())),
                    new Standing(true, "me", EPOCH, List.of()),
                    known));
          } else if (message instanceof MemberMessage.Offer offer) {
            offers.add(offer);
            inbox.accept(
                new CoordinatorMessage.Resume(
                    EPOCH, Optional.empty(), Optional.empty(), Ancestry.NONE, ""));
          }
        }

        @Override
        public void close() {}
      };
    }
  }

  /** A pause takes virtual time. */
  private final class VirtualPauses implements Waits {
    @Override
    public void sleep(long millis) {
      nowMillis += millis;
    }

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) throws InterruptedException {
      return queue.take();
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) throws InterruptedException {
      return REAL.await(awaited, nanos);
    }
  }
}
