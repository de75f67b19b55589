package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.chunk.CapturedChunks;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.events.Watchdog;
import io.cairn.engine.sharing.borrower.Leases;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The steps NODE and STORE, in one thread; each stage has room for one checkpoint. */
class PromotionTest {
  private static final int BYTES = 4;
  private static final Member MEMBER = new Member(new GroupId("job", "run"), 0, 1);

  private final Queue<Runnable> atNode = new ArrayDeque<>();
  private final Queue<Runnable> atStore = new ArrayDeque<>();
  private final Disk node = new Disk(Level.NODE);
  private final Disk store = new Disk(Level.STORE);
  private final Promotion promotion =
      new Promotion(
          List.of(
              new PromotionStep(Level.NODE, Level.DEVICE, Stage.on(atNode::add, "n", BYTES), node),
              new PromotionStep(
                  Level.STORE, Level.NODE, Stage.on(atStore::add, "s", BYTES), store)),
          new Watchdog(Duration.ZERO, event -> {}, System::nanoTime),
          System::nanoTime);
  private int pins;

  /** A level that fails if a test says so, and remembers where it read from. */
  private static final class Disk implements LevelWriter, CopySource {
    private final Level level;
    private final List<String> sources = new ArrayList<>();
    private @Nullable IOException failure;
    private @Nullable IOException remains;
    private Runnable meanwhile = () -> {};
    private Runnable whenBroken = () -> {};
    private Set<CheckpointId> needed = Set.of();
    private boolean newestIsSealed;
    private @Nullable CheckpointId newest;
    private final List<Outcome> outcomes = new ArrayList<>();

    /** Of these it leans on those that are known to be sealed. */
    private Set<CheckpointId> leaning = Set.of();

    Disk(Level level) {
      this.level = level;
    }

    @Override
    public CopySource copies(Optional<RankSurvey> atStore) {
      return this;
    }

    @Override
    public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest)
        throws IOException {
      if (failure != null) {
        throw failure;
      }
      try (OpenCopies copies = nearest.open(1)) {
        meanwhile.run();
        copies.first().reader().read(0, 0, ByteBuffer.allocate(BYTES));
        sources.add(copies.first().describe());
      } catch (IOException e) {
        whenBroken.run();
        if (remains != null) {
          e.addSuppressed(remains);
        }
        throw e;
      }
      return List.of();
    }

    @Override
    public void settled(CheckpointId id, int rank, Outcome outcome) {
      outcomes.add(outcome);
    }

    @Override
    public void retain(
        CheckpointId sealedLast, Predicate<CheckpointId> sealed, Set<CheckpointId> others) {
      newest = sealedLast;
      newestIsSealed = sealed.test(sealedLast);
      needed = others;
    }

    @Override
    public Set<CheckpointId> leansOn(
        GroupId group, Predicate<CheckpointId> sealed, Set<CheckpointId> inUse) {
      return leaning.stream().filter(sealed).collect(Collectors.toSet());
    }

    @Override
    public Level level() {
      return level;
    }

    @Override
    public String describe() {
      return "disk";
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) {
      return Map.of();
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) {
      return sources.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Copy(
                  describe(), List.of(), Fingerprint.NONE, (region, chunk, into) -> {}, () -> {}));
    }
  }

  /** The chunks of a capture, whose pins are counted. */
  private final class Chunks implements CapturedChunks {
    @Override
    public List<RegionImage> images() {
      return List.of(new RegionImage("weights", BYTES, BYTES, new int[1]));
    }

    @Override
    public Optional<Pin> pin() {
      pins++;
      return Optional.of(new Pin(this::reader, () -> pins--));
    }

    @Override
    public ChunkReader reader() {
      return (region, chunk, into) -> {};
    }
  }

  /** The reports of one rank, in order. */
  private static final class Reports implements RankReporter {
    private final List<String> all = new ArrayList<>();
    private final Set<Level> settled = EnumSet.noneOf(Level.class);
    private final Set<Level> askedAgain = EnumSet.noneOf(Level.class);
    private final Set<Level> askedMeanwhile = EnumSet.noneOf(Level.class);
    private boolean last;

    @Override
    public void held(Level level, List<ContainerSummary> containers) {
      all.add("held at " + level);
    }

    @Override
    public void gaveUp(Level level, Why why, String reason) {
      all.add(why.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " at " + level);
    }

    @Override
    public boolean leftOut(Level level) {
      all.add("left out at " + level);
      return askedAgain.contains(level) && settled.remove(level);
    }

    @Override
    public Optional<String> unclaimed() {
      return Optional.empty();
    }

    @Override
    public void makeLast() {
      last = true;
    }

    @Override
    public boolean isLast() {
      return last;
    }

    @Override
    public boolean again(Level level) {
      return false;
    }

    @Override
    public boolean askedMeanwhile(Level level) {
      return askedMeanwhile.remove(level);
    }

    @Override
    public boolean writesAgain(Level level) {
      return false;
    }

    @Override
    public void fenced(String reason) {
      all.add("fenced: " + reason);
    }

    @Override
    public boolean isSettled(Level level) {
      return settled.contains(level);
    }

    @Override
    public boolean isGivenUp(Level level) {
      return settled.contains(level);
    }
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(MEMBER.group(), 1, iteration);
  }

  private Reports promote(long iteration) {
    return promote(iteration, new Reports());
  }

  private Reports promote(long iteration, Reports reports) {
    promotion.promote(promoted(iteration, reports));
    return reports;
  }

  private Promoted promoted(long iteration, Reports reports) {
    return new Promoted(
        MEMBER,
        id(iteration),
        new Chunks(),
        Leases.none(),
        Fingerprint.NONE,
        Map::of,
        Optional.empty(),
        Ancestry.NONE,
        Set.of(Level.NODE, Level.STORE),
        false,
        reports);
  }

  private static void run(Queue<Runnable> queue) {
    while (!queue.isEmpty()) {
      queue.remove().run();
    }
  }

  @Test
  void aFullStageRejectsACheckpoint() {
    promote(0);
    run(atNode);
    Reports second = promote(1);

    run(atNode);

    assertThat(second.all).containsExactly("held at NODE", "skipped at STORE");
  }

  @Test
  void noFullStageRejectsACheckpointThatBecameTheLastOnItsWay() {
    promote(0);
    run(atNode);
    Reports second = promote(1);
    second.makeLast();

    run(atNode);
    run(atStore);

    assertThat(second.all).containsExactly("held at NODE", "held at STORE");
  }

  @Test
  void aRejectedCheckpointStaysUnpinned() {
    promote(0);
    int pinnedByTheFirst = pins;

    Reports second = promote(1);

    assertThat(second.all).containsExactly("skipped at NODE", "skipped at STORE");
    assertThat(pins).isEqualTo(pinnedByTheFirst);
  }

  @Test
  void aSlowStorePinsNothingAtDevice() {
    promote(0);

    run(atNode);

    assertThat(pins).isZero();
    run(atStore);
    assertThat(store.sources).containsExactly("disk");
  }

  @Test
  void ifNodeFailsTheFailureIsReportedAndStoreReadsFromDevice() {
    node.failure = new IOException("no space");
    Reports only = promote(0);

    run(atNode);
    assertThat(pins).isEqualTo(1);
    run(atStore);

    assertThat(only.all).containsExactly("failed at NODE", "held at STORE");
    assertThat(store.sources).containsExactly("the regions");
    assertThat(pins).isZero();
  }

  @Test
  void anAttemptThatALaterEpochEndedGoesNoFurther() {
    node.failure = new SupersededException("epoch 2 began");
    Reports only = promote(0);

    run(atNode);
    run(atStore);

    assertThat(only.all).containsExactly("fenced: epoch 2 began");
    assertThat(pins).isZero();
  }

  /** Rank 1's queue was full, so nobody needs what waits in this one. */
  @Test
  void aCheckpointThatTheGroupGaveUpLeavesTheQueue() {
    Reports first = promote(0);
    first.settled.addAll(Set.of(Level.NODE, Level.STORE));
    promotion.giveUp(id(0), MEMBER.rank(), Level.NODE);
    assertThat(pins).isZero();

    Reports second = promote(1);
    run(atNode);

    assertThat(first.all).containsExactly("left out at NODE", "left out at STORE");
    assertThat(second.all).containsExactly("held at NODE");
  }

  /** The group's word on the first capture arrives after the second one was queued. */
  @Test
  void aSecondCaptureOfAnIterationStaysInTheQueue() {
    Reports second = promote(0);

    promotion.giveUp(id(0), MEMBER.rank(), Level.NODE);
    run(atNode);

    assertThat(second.all).containsExactly("held at NODE");
  }

  @Test
  void anotherRanksCheckpointStaysInTheQueue() {
    Reports only = promote(0);

    promotion.giveUp(id(0), MEMBER.rank() + 1, Level.NODE);
    run(atNode);

    assertThat(only.all).containsExactly("held at NODE");
  }

  @Test
  void aWriteBreaksOffWhenTheGroupGivesItUp() {
    Reports only = new Reports();
    node.meanwhile = () -> only.settled.addAll(Set.of(Level.NODE, Level.STORE));
    promote(0, only);

    run(atNode);

    assertThat(node.sources).isEmpty();
    assertThat(only.all).containsExactly("left out at NODE", "left out at STORE");
    assertThat(pins).isZero();
  }

  /** The training ended while the other parts of the checkpoint broke off. */
  @Test
  void aCheckpointThatIsAskedForAgainWhileItBreaksOffIsWritten() {
    Reports only = new Reports();
    node.meanwhile =
        () -> {
          only.settled.add(Level.NODE);
          node.meanwhile = () -> {};
        };
    node.whenBroken = () -> only.settled.remove(Level.NODE);
    promote(0, only);

    run(atNode);

    assertThat(only.all).containsExactly("held at NODE");
  }

  @Test
  void aWriteWithoutMemoryIsReportedAsFailed() {
    Reports only = new Reports();
    node.meanwhile =
        () -> {
          throw new OutOfMemoryError("Cannot reserve direct buffer memory");
        };
    promote(0, only);

    run(atNode);
    run(atStore);

    assertThat(only.all).startsWith("failed at NODE");
    assertThat(pins).isZero();
  }

  /** A codec's library may be missing. */
  @Test
  void aWriteThatThrowsAnErrorIsReportedAndTheNextLevelRuns() {
    Reports only = new Reports();
    node.meanwhile =
        () -> {
          throw new NoClassDefFoundError("io/cairn/Missing");
        };
    promote(0, only);

    run(atNode);
    run(atStore);

    assertThat(only.all).containsExactly("failed at NODE", "held at STORE");
    assertThat(pins).isZero();
  }

  /** Its delete may take effect after it was written again. */
  @Test
  void aBrokenWriteThatMayHaveLeftAFileIsNotRepeated() {
    Reports only = new Reports();
    node.meanwhile = () -> only.settled.add(Level.NODE);
    node.remains = new IOException("no answer to the delete");
    promote(0, only);

    run(atNode);

    assertThat(only.all).startsWith("failed at NODE").doesNotContain("left out at NODE");
  }

  /** STORE may answer again by now. */
  @Test
  void aWriteThatFailsAfterTheGroupAskedForItAgainIsTriedOnceMore() {
    Reports only = promote(0);
    run(atNode);
    AtomicInteger writes = new AtomicInteger();
    store.meanwhile =
        () -> {
          only.askedMeanwhile.add(Level.STORE);
          if (writes.incrementAndGet() == 1) {
            throw new UncheckedIOException(new IOException("STORE is silent"));
          }
        };

    run(atStore);

    assertThat(only.all).containsExactly("held at NODE", "held at STORE");
    assertThat(writes).hasValue(2);
  }

  /** The failure is not reported, so nothing else shows it. */
  @Test
  void aFailureThatIsTriedOnceMoreIsLogged() {
    Reports only = new Reports();
    only.askedMeanwhile.add(Level.STORE);
    IOException silent = new IOException("STORE is silent");
    store.failure = silent;
    PromotionStep step =
        new PromotionStep(Level.STORE, Level.NODE, Stage.on(atStore::add, "s", BYTES), store);
    LoggedFailures way = new LoggedFailures();

    new QueuedWrite(step, promoted(0, only), true, () -> {}, way).run();

    assertThat(way.logged).containsExactly(silent, silent);
    assertThat(only.all).containsExactly("failed at STORE");
  }

  /** The way of a write that opens no copy. */
  private static final class LoggedFailures implements QueuedWrite.Way {
    private final List<Exception> logged = new ArrayList<>();

    @Override
    public OpenCopies nearest(PromotionStep step, Promoted checkpoint, int most) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Watchdog.Work begins(Promoted checkpoint, Level level) {
      return new Watchdog(Duration.ZERO, event -> {}, System::nanoTime)
          .begin(checkpoint.member(), "a write");
    }

    @Override
    public void onwards(Level level, Promoted checkpoint, boolean held) {}

    @Override
    public void failed(Promoted checkpoint, Level level, Exception cause) {
      logged.add(cause);
    }
  }

  /** The training ends with it, so the group tries it once more. */
  @Test
  void aCheckpointThatIsAskedForAgainWhileItIsLeftOutIsWritten() {
    Reports only = promote(0);
    run(atNode);
    only.settled.add(Level.STORE);
    only.askedAgain.add(Level.STORE);

    run(atStore);

    assertThat(only.all).containsExactly("held at NODE", "left out at STORE", "held at STORE");
  }

  @Test
  void aCheckpointThatIsAskedForAgainWhileItLeavesTheQueueIsWritten() {
    Reports only = promote(0);
    run(atNode);
    only.settled.add(Level.STORE);
    only.askedAgain.add(Level.STORE);

    promotion.giveUp(id(0), MEMBER.rank(), Level.STORE);
    run(atStore);

    assertThat(only.all).containsExactly("held at NODE", "left out at STORE", "held at STORE");
  }

  private void sealed(Level level, long iteration) {
    promotion.onSettled(id(iteration), MEMBER.rank(), level, new Outcome.Sealed(level));
    run(atNode);
  }

  @Test
  void nodeKeepsACopyUntilStoreHasReadIt() {
    promote(0);
    run(atNode);

    sealed(Level.NODE, 0);
    assertThat(node.needed).containsExactly(id(0));
    sealed(Level.STORE, 0);
    assertThat(node.needed).isEmpty();
  }

  /** No later seal would delete it if the training ends with the newer one. */
  @Test
  void nodeDeletesACopyThatStoreSkipsAfterANewerOne() {
    promote(0);
    run(atNode);
    sealed(Level.NODE, 0);
    sealed(Level.NODE, 1);
    sealed(Level.STORE, 1);
    assertThat(node.needed).containsExactly(id(0));

    Outcome skipped = new Outcome.Skipped("a newer checkpoint was sealed at STORE before it");
    promotion.onSettled(id(0), MEMBER.rank(), Level.STORE, skipped);
    run(atNode);

    assertThat(node.needed).isEmpty();
    assertThat(node.newest).isEqualTo(id(1));
  }

  /** Another rank of the group found out that the level cannot protect it. */
  @Test
  void nodeDeletesACopyThatIsNotDueAtTheNextLevelAfterAll() {
    promote(0);
    run(atNode);
    sealed(Level.NODE, 0);
    sealed(Level.NODE, 1);
    assertThat(node.needed).containsExactly(id(0));

    promotion.onSettled(id(0), MEMBER.rank(), Level.STORE, new Outcome.NotDue(Level.STORE));
    run(atNode);

    assertThat(node.needed).isEmpty();
    assertThat(store.outcomes).isEmpty();
  }

  @Test
  void aLevelThatCannotProtectTheGroupIsNotDue() {
    store.failure = new NotDueException("one machine");
    Reports only = promote(0);
    run(atNode);
    run(atStore);

    assertThat(only.all).containsExactly("held at NODE", "not due at STORE");
  }

  /** Its last deletions are still queued when the rank leaves. */
  @Test
  void nodeKnowsTheSealsThatAnotherLevelLeansOnAfterTheRankLeft() {
    store.leaning = Set.of(id(0));
    promotion.onSettled(id(0), MEMBER.rank(), Level.STORE, new Outcome.Sealed(Level.STORE));

    promotion.left(MEMBER.group(), OptionalLong.empty());
    run(atNode);

    assertThat(node.needed).containsExactly(id(0));
  }

  @Test
  void nodeKeepsNoCopyForALevelThatIsSettled() {
    Reports settled = new Reports();
    settled.settled.add(Level.STORE);
    promote(0, settled);
    run(atNode);

    sealed(Level.NODE, 0);

    assertThat(node.needed).isEmpty();
  }

  @Test
  void theNewestSealIsKnownAfterManyOthers() {
    for (long iteration = 0; iteration <= LevelCopies.MAX_SEALED_KNOWN; iteration++) {
      sealed(Level.NODE, iteration);
    }

    assertThat(node.newestIsSealed).isTrue();
  }

  /** NODE may lean on a file that STORE could not read. */
  @Test
  void aFailureIsReportedToTheLevelThatWasReadFrom() {
    CheckpointId id = new CheckpointId(MEMBER.group(), 1, 1);
    Outcome failed = new Outcome.Failed("no chunk 3");
    Outcome skipped = new Outcome.Skipped("slow");

    promotion.onSettled(id, 0, Level.STORE, failed);
    promotion.onSettled(id, 0, Level.STORE, skipped);

    assertThat(store.outcomes).containsExactly(failed, skipped);
    assertThat(node.outcomes).containsExactly(failed);
  }
}
