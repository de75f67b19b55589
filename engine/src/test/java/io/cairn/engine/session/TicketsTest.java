package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.config.RegionSettings;
import io.cairn.engine.config.ResumePolicy;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.events.Observers;
import io.cairn.engine.events.Watchdog;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NearestCopy;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.promotion.PromotionStep;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.RestorePlanner;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tickets of rank 1 of two, whose outcomes arrive in any order. */
class TicketsTest {
  private static final Member MEMBER = new Member(new GroupId("job", "pair"), 1, 2);
  private static final int CHUNK = 8;

  private final DelayedDevice device = new DelayedDevice(CHUNK, 1);
  private final List<CairnEvent> events = new ArrayList<>();
  private ChunkCache cache;
  private Tickets tickets;

  @BeforeEach
  void open() throws IOException {
    cache = new ChunkCache(device, CHUNK, CHUNK);
    Observers observers = new Observers();
    observers.add(events::add);
    tickets = new Tickets(context(cache, observers), MEMBER);
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  static SessionContext context(ChunkCache cache, Observers observers) {
    return context(cache, observers, List.of());
  }

  static SessionContext context(ChunkCache cache, Observers observers, List<PromotionStep> steps) {
    Watchdog watchdog = new Watchdog(Duration.ZERO, observers::publish, System::nanoTime);
    return new SessionContext(
        cache,
        new Promotion(steps, watchdog, System::nanoTime),
        member -> Optional.empty(),
        new Start("", "run", ResumePolicy.AUTO, true, Set.of()),
        RegionSettings.NONE,
        Set.of(),
        atStore -> new RestorePlanner(List.of()),
        (member, incarnation, inbox) -> {
          throw new UnsupportedOperationException();
        },
        Waits.REAL,
        () -> {},
        Runnable::run,
        observers,
        watchdog,
        new GoodputBook(System::nanoTime, System::currentTimeMillis, 0),
        Duration.ZERO,
        Duration.ZERO,
        () -> false,
        Duration.ZERO,
        Duration.ZERO,
        new DeviceCopies(cache),
        Set.of(),
        Optional::empty,
        System::nanoTime);
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(MEMBER.group(), 1, iteration);
  }

  private Ticket open(long iteration) {
    return tickets.open(id(iteration), new FollowedCadence.Due(Set.of(Level.values()), false));
  }

  private void receive(long iteration, Level level, Outcome outcome) {
    tickets.receive(new CoordinatorMessage.Settled(1, iteration, level, outcome));
  }

  @Test
  void anOutcomeThatArrivesBeforeItsTicketIsOpenedSettlesIt() {
    Outcome failed = new Outcome.Failed("rank 0 cannot write");

    receive(0, Level.NODE, failed);
    Ticket ticket = open(0);

    assertThat(ticket.sealed(Level.NODE)).isCompletedWithValue(failed);
  }

  /** The other ranks capture their last iteration again before this one has opened it. */
  @Test
  void earlyOutcomesOfASecondRoundSettleTheSecondTicket() {
    Outcome first = new Outcome.Skipped("the queue is full");
    Outcome second = new Outcome.Skipped("the group gave its first copy up");
    for (Level level : Level.values()) {
      receive(0, level, first);
    }
    receive(0, Level.NODE, second);
    Ticket ticket = open(0);
    tickets.capture(ticket, first);

    tickets.forget(ticket);
    Ticket again = open(0);

    assertThat(ticket.settled()).isCompleted();
    assertThat(again.sealed(Level.NODE)).isCompletedWithValue(second);
    assertThat(again.sealed(Level.STORE)).isNotDone();
  }

  /** No group has a third round: a coordinator that repeats itself fills no memory. */
  @Test
  void earlyOutcomesBeyondTheSecondRoundAreDropped() {
    Outcome first = new Outcome.Skipped("the queue is full");
    Outcome second = new Outcome.Skipped("the group gave its first copy up");
    receive(0, Level.NODE, first);
    receive(0, Level.NODE, second);
    receive(0, Level.NODE, new Outcome.Skipped("again"));
    receive(0, Level.STORE, first);

    tickets.forget(open(0));
    Ticket again = open(0);
    tickets.forget(again);

    assertThat(again.sealed(Level.NODE)).isCompletedWithValue(second);
    assertThat(open(0).sealed(Level.NODE)).isNotDone();
    assertThat(events).contains(new CairnEvent.Settled(id(0), MEMBER, Level.STORE, first));
  }

  /** The capture of this rank's first ticket is still under way. */
  @Test
  void anOutcomeOfTheSecondRoundIsKeptWhileTheFirstTicketIsOpen() {
    Outcome first = new Outcome.Skipped("the queue is full");
    Outcome second = new Outcome.Skipped("the group gave its first copy up");
    Ticket ticket = open(0);
    for (Level level : Level.values()) {
      receive(0, level, first);
    }
    receive(0, Level.NODE, second);
    tickets.capture(ticket, new Outcome.Captured(0));

    tickets.forget(ticket);
    Ticket again = open(0);

    assertThat(again.sealed(Level.NODE)).isCompletedWithValue(second);
    assertThat(again.sealed(Level.STORE)).isNotDone();
  }

  @Test
  void theFirstOutcomeCountsAndIsReportedOnce() {
    Ticket ticket = open(0);
    Outcome skipped = new Outcome.Skipped("the queue is full");

    receive(0, Level.STORE, skipped);
    receive(0, Level.STORE, new Outcome.Sealed(Level.STORE));

    assertThat(ticket.sealed(Level.STORE)).isCompletedWithValue(skipped);
    assertThat(events).containsExactly(new CairnEvent.Settled(id(0), MEMBER, Level.STORE, skipped));
  }

  /** The other ranks captured it again, and this one reported what it holds. */
  @Test
  void aSealAtDeviceCountsAlthoughTheTicketWasGivenUp() {
    Ticket ticket = open(0);
    receive(0, Level.DEVICE, new Outcome.Skipped("rank 0: no room"));

    receive(0, Level.DEVICE, new Outcome.Sealed(Level.DEVICE));

    assertThat(ticket.isSealed(Level.DEVICE)).isFalse();
    assertThat(tickets.newestAtDevice()).isZero();
  }

  /** Another rank still writes the older one when the newer one fails. */
  @Test
  void anOlderIterationHidesNoFailureAtStore() {
    open(2);
    open(3);
    open(4);
    receive(4, Level.STORE, new Outcome.Failed("STORE is silent"));

    receive(2, Level.STORE, new Outcome.Sealed(Level.STORE));
    receive(3, Level.STORE, new Outcome.Failed("STORE is silent"));

    assertThat(tickets.hasFailedAtStore(4)).isTrue();
  }

  /** Such as a rank that has left: it does not help to ask again. */
  @Test
  void aTryAtStoreThatIsSkippedIsNoFailure() {
    Ticket ticket = open(4);
    for (Level level : Level.values()) {
      receive(4, level, new Outcome.Failed("STORE is silent"));
    }
    tickets.capture(ticket, new Outcome.Captured(0));
    tickets.rescue(id(4), Set.of(Level.STORE));

    receive(4, Level.STORE, new Outcome.Skipped("a rank has left"));

    assertThat(tickets.all()).isCompleted();
    assertThat(tickets.hasFailedAtStore(4)).isFalse();
  }

  /** Commits may end in another order than that of the iterations. */
  @Test
  void theNewestIterationAtStoreIsTheGreatest() {
    open(0);
    open(1);

    receive(1, Level.STORE, new Outcome.Sealed(Level.STORE));
    receive(0, Level.STORE, new Outcome.Sealed(Level.STORE));

    assertThat(tickets.newestAtStore()).isEqualTo(1);
  }

  /** Each rank that ends asks for the last checkpoint, so the order to send it comes twice. */
  @Test
  void aRepeatedRescueIsAwaitedOnce() {
    Ticket ticket = open(0);
    for (Level level : Level.values()) {
      receive(0, level, new Outcome.Skipped("the queue is full"));
    }
    tickets.capture(ticket, new Outcome.Captured(0));
    tickets.rescue(id(0), Set.of(Level.STORE));
    CompletableFuture<Void> all = tickets.all();

    tickets.rescue(id(0), Set.of(Level.STORE));
    receive(0, Level.STORE, new Outcome.Sealed(Level.STORE));
    tickets.rescue(id(0), Set.of(Level.STORE));

    assertThat(all).isCompleted();
    assertThat(tickets.all()).isCompleted();
  }

  /** A rank that ends asks all tickets, and then what is at STORE. */
  @Test
  void aRescueIsOpenUntilItIsCounted() {
    List<Boolean> over = new ArrayList<>();
    Observers observers = new Observers();
    Tickets[] rank = new Tickets[1];
    observers.add(event -> over.add(rank[0].all().isDone()));
    rank[0] = new Tickets(context(cache, observers), MEMBER);
    rank[0].rescue(id(0), Set.of(Level.STORE));

    rank[0].receive(
        new CoordinatorMessage.Settled(1, 0, Level.STORE, new Outcome.Sealed(Level.STORE)));

    assertThat(over).containsExactly(false);
    assertThat(rank[0].all()).isCompleted();
    assertThat(rank[0].newestAtStore()).isZero();
  }

  /** NODE keeps what STORE reads until that is over. */
  @Test
  void theEndOfAnEpochEndsItsRescuesAtTheirLevels() {
    SettledLevel store = new SettledLevel();
    Observers observers = new Observers();
    observers.add(events::add);
    Tickets tickets = new Tickets(context(cache, observers, List.of(store.step())), MEMBER);
    tickets.rescue(id(0), Set.of(Level.STORE));
    Outcome fenced = new Outcome.Fenced("epoch 2 began");

    tickets.fence("epoch 2 began");

    assertThat(store.outcomes).containsExactly(fenced);
    assertThat(events).containsExactly(new CairnEvent.Settled(id(0), MEMBER, Level.STORE, fenced));
    assertThat(tickets.all()).isCompleted();
  }

  /** STORE, which only remembers what was settled there. */
  private static final class SettledLevel implements LevelWriter {
    private final List<Outcome> outcomes = new ArrayList<>();

    PromotionStep step() {
      return new PromotionStep(
          Level.STORE, Level.DEVICE, Stage.on(Runnable::run, "settled", 1), this);
    }

    @Override
    public void settled(CheckpointId id, int rank, Outcome outcome) {
      outcomes.add(outcome);
    }

    @Override
    public CopySource copies(Optional<RankSurvey> atStore) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) {
      throw new UnsupportedOperationException();
    }
  }
}
