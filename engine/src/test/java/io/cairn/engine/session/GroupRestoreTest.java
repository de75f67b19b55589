package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.Candidate;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.Proof;
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
import java.util.function.Consumer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rank without a checkpoint, whose coordinator and STORE are played. */
@Timeout(60)
class GroupRestoreTest {
  private static final long EPOCH = 3;
  private static final RankSurvey SURVEY = new RankSurvey(List.of());
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Member MEMBER = new Member(new GroupId("job", "run"), 1, 2);

  private final List<MemberMessage> sent = new ArrayList<>();
  private final DelayedDevice device = new DelayedDevice(4096, 1);
  private final Played store = new Played(Level.STORE);
  private final Played near = new Played(Level.NODE);
  private final Coordinator coordinator = new Coordinator();
  private final List<Optional<RankSurvey>> surveys = new ArrayList<>();
  private final List<Long> begun = new ArrayList<>();

  /** The epoch that begins instead of the first; 0 if none does. */
  private long later;

  /** The first epoch that the coordinator began. */
  private long firstOfRun = Long.MAX_VALUE;

  private ResumePolicy policy = ResumePolicy.AUTO;
  private String refusals = "";
  private Optional<CheckpointId> proposal = Optional.empty();

  @AfterEach
  void close() {
    device.close();
  }

  private GroupRestore restore(Duration patience) {
    return restore(patience, true);
  }

  private GroupRestore restore(Duration patience, boolean olderIfUnreadable) {
    return new GroupRestore(
        new Membership(
            coordinator,
            MEMBER,
            new Origin("birth", 0),
            () -> {},
            new NoPauses(),
            Duration.ofMinutes(1),
            System::nanoTime,
            aside -> {}),
        MEMBER,
        atStore -> {
          surveys.add(atStore);
          return new RestorePlanner(List.of(near, store));
        },
        new ProtectedRegions(device, 64),
        new Start("", "run", policy, olderIfUnreadable, Set.of()),
        Landing.NONE,
        () -> new StoreWait("rank 1", patience, () -> 0),
        epoch -> {
          begun.add(epoch);
          return false;
        },
        () -> 0);
  }

  @Test
  void aStoreThatFailsForAMomentIsWaitedFor() {
    store.failures = 3;

    GroupRestore.Result result = restore(PATIENCE).run(id -> true);

    assertThat(result.report()).isEmpty();
    assertThat(sent).contains(new MemberMessage.Offer(MEMBER.rank(), EPOCH, List.of()));
  }

  /** The first survey found it. */
  @Test
  void aStoreThatFailsWhileNearerCopiesAreAskedAgainIsWaitedFor() {
    near.failures = 1;
    store.failsAt = 2;

    GroupRestore.Result result = restore(PATIENCE).run(id -> true);

    assertThat(result.report()).isEmpty();
    assertThat(surveys).hasSize(3);
  }

  /** It shows what was there when the epoch began, and no later state. */
  @Test
  void theSurveyIsUsedOnceAndThenTheStoreIsAsked() {
    store.failures = 2;

    restore(PATIENCE).run(id -> true);

    assertThat(surveys).containsExactly(Optional.of(SURVEY), Optional.empty(), Optional.empty());
  }

  /** The group resumes from an epoch after its own, and takes a later one. */
  @Test
  void theSameIsOfferedInALaterEpoch() {
    refusals = "none is at all ranks";
    store.newest = Optional.of(candidate(20));
    later = EPOCH + 5;

    assertThatThrownBy(() -> restore(PATIENCE).run(id -> true))
        .isInstanceOf(RestoreException.class);

    assertThat(begun).containsExactly(EPOCH, EPOCH + 5);
    assertThat(sent)
        .contains(
            new MemberMessage.Offer(MEMBER.rank(), EPOCH, List.of(candidate(20))),
            new MemberMessage.Offer(MEMBER.rank(), EPOCH + 5, List.of(candidate(20))));
  }

  @Test
  void aStartWithoutARestoreUsesTheSurvey() {
    restore(PATIENCE).startAfresh();

    assertThat(surveys).containsExactly(Optional.of(SURVEY));
  }

  /** The coordinator may have begun a later epoch, of which this rank has not heard. */
  @Test
  void aRankWhoseRestoreFailsWithdrawsFromWhateverEpochItIsIn() {
    store.failures = 1;
    GroupRestore restore = restore(Duration.ZERO);

    assertThatThrownBy(() -> restore.run(id -> true)).isInstanceOf(RestoreException.class);

    assertThat(sent)
        .first(as(InstanceOfAssertFactories.type(MemberMessage.Join.class)))
        .satisfies(
            join ->
                assertThat(sent)
                    .endsWith(new MemberMessage.Withdraw(MEMBER.rank(), join.incarnation(), true)));
  }

  /** The other ranks wait for its offer. */
  @Test
  void aRankWhoseRestoreThrowsAnErrorWithdraws() {
    store.unloadable = true;
    GroupRestore restore = restore(Duration.ZERO);

    assertThatThrownBy(() -> restore.run(id -> true)).isInstanceOf(NoClassDefFoundError.class);

    assertThat(sent).last().isInstanceOf(MemberMessage.Withdraw.class);
  }

  /** The other rank may have lost the newer one. */
  @Test
  void anOldManifestThatCannotBeReadForAMomentIsWaitedFor() {
    refusals = "none is at all ranks";
    store.newest = Optional.of(candidate(20));
    store.older = Optional.of(candidate(10));
    store.unread = 3;

    assertThatThrownBy(() -> restore(PATIENCE).run(id -> true))
        .isInstanceOf(RestoreException.class);

    assertThat(offers()).containsExactly(candidate(20), candidate(10));
  }

  /** Its group was killed while the first checkpoint was written. */
  @Test
  void aCheckpointThatTheGroupNeverSealedIsLeft() {
    store.newest = Optional.of(candidate(20));

    assertThat(restore(Duration.ZERO).run(id -> true).report()).isEmpty();
    assertThat(offers()).containsExactly(candidate(20));
  }

  @Test
  void anOldManifestThatStaysUnreadableIsNotOffered() {
    refusals = "none is at all ranks";
    store.newest = Optional.of(candidate(20));
    store.older = Optional.of(candidate(10));
    store.unread = Integer.MAX_VALUE;

    assertThatThrownBy(() -> restore(Duration.ZERO).run(id -> true))
        .isInstanceOf(RestoreException.class);

    assertThat(offers()).containsExactly(candidate(20));
  }

  /** The copies of the newer ones were lost after they were listed. */
  @Test
  void aGroupDoesNotGoBackBehindAManifestThatItCannotRead() {
    store.newest = Optional.of(candidate(20));
    store.older = Optional.of(candidate(10));
    store.unread = Integer.MAX_VALUE;
    proposal = Optional.of(candidate(5).id());

    assertThatThrownBy(() -> restore(Duration.ZERO, false).run(id -> true))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("e1-i10 cannot be read at STORE now")
        .hasMessageContaining("e1-i5");
    assertThat(sent).noneMatch(MemberMessage.Vote.class::isInstance);
  }

  /** Otherwise a lost block would end each restart. */
  @Test
  void aGroupGoesBackBehindAManifestThatStaysUnreadable() {
    refusals = "none is at all ranks";
    store.newest = Optional.of(candidate(20));
    store.older = Optional.of(candidate(10));
    store.unread = Integer.MAX_VALUE;
    proposal = Optional.of(candidate(5).id());

    assertThatThrownBy(() -> restore(Duration.ZERO).run(id -> true))
        .hasMessageContaining("none is at all ranks");
    assertThat(sent).anyMatch(MemberMessage.Vote.class::isInstance);
  }

  @Test
  void theNextOlderCheckpointIsOfferedIfTheNewestManifestStaysUnreadable() {
    refusals = "none is at all ranks";
    store.newest = Optional.of(candidate(20));
    store.older = Optional.of(candidate(30));
    store.unread = Integer.MAX_VALUE;

    assertThatThrownBy(() -> restore(Duration.ZERO).run(id -> true))
        .hasMessageContaining("none is at all ranks")
        .hasMessageContaining("e1-i30")
        .hasMessageContaining("could not obtain block");

    assertThat(offers()).containsExactly(candidate(20));
  }

  @Test
  void aNewestManifestThatStaysUnreadableIsAnErrorIfTheSettingSaysSo() {
    store.newest = Optional.of(candidate(20));
    store.older = Optional.of(candidate(30));
    store.unread = Integer.MAX_VALUE;

    assertThatThrownBy(() -> restore(Duration.ZERO, false).run(id -> true))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("e1-i30 cannot be read")
        .hasMessageContaining("store.unreadable");
    assertThat(offers()).isEmpty();
  }

  /** To start afresh would lose all. */
  @Test
  void withoutAnOlderCheckpointAnUnreadableManifestIsAnError() {
    store.older = Optional.of(candidate(30));
    store.unread = Integer.MAX_VALUE;

    assertThatThrownBy(() -> restore(Duration.ZERO).run(id -> true))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("e1-i30 cannot be read")
        .hasMessageContaining("resume (on Spark spark.cairn.resume)");
  }

  /** The remedy that the message names must not meet the same message. */
  @Test
  void neverPassesOverAManifestOfAnEarlierRunThatStaysUnreadable() {
    policy = ResumePolicy.NEVER;
    store.newest = Optional.of(candidate(20));
    store.older = Optional.of(candidate(30));
    for (Optional<Candidate> earlier : List.of(store.newest, Optional.<Candidate>empty())) {
      for (boolean older : new boolean[] {true, false}) {
        store.newest = earlier;
        store.unread = Integer.MAX_VALUE;

        assertThat(restore(Duration.ZERO, older).run(id -> true).report()).isEmpty();
      }
    }
    assertThat(offers()).isEmpty();
  }

  /** A retry would begin at 0, with its own work at STORE. */
  @Test
  void neverDoesNotPassOverAManifestThatThisRunMayHaveWritten() {
    policy = ResumePolicy.NEVER;
    store.older = Optional.of(candidate(30));
    store.unread = Integer.MAX_VALUE;
    for (boolean older : new boolean[] {true, false}) {
      firstOfRun = 1;
      assertThatThrownBy(() -> restore(Duration.ZERO, older).run(id -> true))
          .isInstanceOf(RestoreException.class)
          .hasMessageContaining("e1-i30")
          .hasMessageContaining("this run may have written");

      firstOfRun = 2;
      assertThat(restore(Duration.ZERO, older).run(id -> true).report()).isEmpty();
    }
  }

  @Test
  void neverRefusesAStoreThatAnswersNothing() {
    policy = ResumePolicy.NEVER;
    store.failures = Integer.MAX_VALUE;

    assertThatThrownBy(() -> restore(Duration.ZERO).run(id -> true))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("unknown whether a newer checkpoint exists");
  }

  @Test
  void anUnreadableManifestThatIsNotWantedIsNoObstacle() {
    refusals = "none is at all ranks";
    store.newest = Optional.of(candidate(20));
    store.older = Optional.of(candidate(10));
    store.unread = Integer.MAX_VALUE;
    proposal = Optional.of(candidate(5).id());

    assertThatThrownBy(() -> restore(Duration.ZERO).run(id -> id.iteration() != 10))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("start afresh with resume=never");
    assertThat(sent).anyMatch(MemberMessage.Vote.class::isInstance);
  }

  private static Candidate candidate(long iteration) {
    return new Candidate(
        new CheckpointId(MEMBER.group(), 1, iteration), Digest.of(new byte[0]), Ancestry.NONE);
  }

  private List<Candidate> offers() {
    return sent.stream()
        .filter(MemberMessage.Offer.class::isInstance)
        .map(MemberMessage.Offer.class::cast)
        .flatMap(offer -> offer.candidates().stream())
        .toList();
  }

  /** The other rank has checkpoints, and could read none of them. */
  @Test
  void aGroupThatRefusedItsCheckpointsDoesNotStartAfresh() {
    refusals = "rank 0: region weights, chunk 2 is damaged";
    GroupRestore restore = restore(PATIENCE);

    assertThatThrownBy(() -> restore.run(id -> true))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("chunk 2 is damaged");
  }

  /** This rank verified it, and the other one could not. */
  @Test
  void aCopyThatTheGroupRefusesIsClosed() {
    store.newest = Optional.of(candidate(20));
    store.hasCopies = true;
    proposal = Optional.of(candidate(20).id());
    refusals = "rank 0: region weights, chunk 2 is damaged";

    assertThatThrownBy(() -> restore(PATIENCE).run(id -> true))
        .isInstanceOf(RestoreException.class);

    assertThat(sent)
        .filteredOn(MemberMessage.Vote.class::isInstance)
        .extracting(vote -> ((MemberMessage.Vote) vote).refusal())
        .containsExactly("");
    assertThat(store.opened).isOne();
    assertThat(store.open).isZero();
  }

  /** Answers a join, and each offer or vote with its proposal, or a resume from no checkpoint. */
  private final class Coordinator implements Coordination {
    @Override
    public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
      return new Link() {
        @Override
        public void send(MemberMessage message) {
          sent.add(message);
          if (message instanceof MemberMessage.Join) {
            inbox.accept(
                new CoordinatorMessage.Joined(
                    EPOCH,
                    CadencePlan.every(1, 10, 50),
                    Optional.of(SURVEY),
                    new Standing(true, "me", firstOfRun, List.of())));
          } else if (message instanceof MemberMessage.Offer offer && later > offer.epoch()) {
            inbox.accept(
                new CoordinatorMessage.Joined(
                    later, CadencePlan.every(1, 10, 50), Optional.of(SURVEY)));
          } else if (message instanceof MemberMessage.Offer && proposal.isPresent()) {
            inbox.accept(new CoordinatorMessage.Verify(EPOCH, proposal.get()));
          } else if (message instanceof MemberMessage.Offer
              || message instanceof MemberMessage.Vote) {
            inbox.accept(
                new CoordinatorMessage.Resume(
                    EPOCH, Optional.empty(), Optional.empty(), Ancestry.NONE, refusals));
          }
        }

        @Override
        public void close() {}
      };
    }
  }

  /** A STORE whose next listings fail, and one of whose manifests cannot be read for a while. */
  private static final class Played implements CopySource {
    private final Level level;
    private int failures;

    /** The number of one listing that fails; 0 if none does. */
    private int failsAt;

    private int listings;
    private boolean unloadable;
    private int unread;
    private boolean hasCopies;
    private int opened;
    private int open;
    private Optional<Candidate> newest = Optional.empty();
    private Optional<Candidate> older = Optional.empty();

    Played(Level level) {
      this.level = level;
    }

    @Override
    public Level level() {
      return level;
    }

    @Override
    public String describe() {
      return "played";
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
      if (unloadable) {
        throw new NoClassDefFoundError("io/cairn/Missing");
      }
      listings++;
      if (failures > 0 || listings == failsAt) {
        failures--;
        throw new IOException("connection refused");
      }
      Map<CheckpointId, Holding> holdings = new TreeMap<>();
      newest.ifPresent(each -> holdings.put(each.id(), Holding.of(2, each, true)));
      older.ifPresent(
          each ->
              holdings.put(
                  each.id(),
                  unread-- > 0
                      ? new Holding(
                          0, Optional.empty(), false, "could not obtain block", Proof.PASSING)
                      : Holding.of(2, each, true)));
      return holdings;
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) {
      if (!hasCopies) {
        return Optional.empty();
      }
      opened++;
      open++;
      return Optional.of(
          new Copy(
              "played",
              List.of(),
              Fingerprint.NONE,
              (region, chunk, into) -> {
                throw new IOException("it has no chunks");
              },
              () -> open--));
    }
  }

  /** Pauses take no time. */
  private static final class NoPauses implements Waits {
    @Override
    public void sleep(long millis) {}

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
