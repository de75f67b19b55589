package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.core.protocol.Origin;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.events.Observers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One rank of two, whose group gave its last checkpoint up at STORE, and tries it once more. */
class ReporterTest {
  private static final Member MEMBER = new Member(new GroupId("job", "pair"), 1, 2);
  private static final CheckpointId ID = new CheckpointId(MEMBER.group(), 1, 0);
  private static final int CHUNK = 8;

  private final DelayedDevice device = new DelayedDevice(CHUNK, 1);
  private ChunkCache cache;
  private Tickets tickets;
  private final List<MemberMessage> sent = new ArrayList<>();
  private Ticket.Reporter reporter;

  @BeforeEach
  void open() throws IOException {
    cache = new ChunkCache(device, CHUNK, CHUNK);
    tickets = new Tickets(TicketsTest.context(cache, new Observers()), MEMBER);
    Membership membership =
        new Membership(
            (member, incarnation, inbox) -> recording(connect(member, incarnation, inbox)),
            MEMBER,
            new Origin("", 0),
            () -> {},
            Waits.REAL,
            Duration.ofMinutes(1),
            System::nanoTime,
            message -> {});
    Ticket ticket = tickets.open(ID, new FollowedCadence.Due(Set.of(Level.STORE), false));
    reporter =
        ticket
        .new Reporter(
            new EpochSession(MEMBER.rank(), membership, tickets, null),
            new Timing(0, Set.of(), 0, 0, Timing.Waiting.NONE),
            System::nanoTime);
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  static Coordination.Link connect(
      Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    return new Coordination.Link() {
      @Override
      public void send(MemberMessage message) {
        if (message instanceof MemberMessage.Join) {
          inbox.accept(
              new CoordinatorMessage.Joined(1, CadencePlan.every(1, 10, 50), Optional.empty()));
        }
      }

      @Override
      public void close() {}
    };
  }

  private Coordination.Link recording(Coordination.Link below) {
    return new Coordination.Link() {
      @Override
      public void send(MemberMessage message) {
        sent.add(message);
        below.send(message);
      }

      @Override
      public void close() {
        below.close();
      }
    };
  }

  private void rejected() {
    tickets.receive(
        new CoordinatorMessage.Settled(
            1, 0, Level.STORE, new Outcome.Skipped("rank 0: the queue is full")));
  }

  @Test
  void aLevelThatTheGroupGaveUpIsWrittenOnceMoreWhenItAsks() {
    rejected();
    assertThat(reporter.isGivenUp(Level.STORE)).isTrue();
    assertThat(reporter.leftOut(Level.STORE)).isFalse();

    assertThat(reporter.again(Level.STORE)).isTrue();
    assertThat(reporter.isGivenUp(Level.STORE)).isFalse();
  }

  /** The write breaks off just when the order to try once more arrives. */
  @Test
  void ifTheGroupAsksBeforeTheLevelWasLeftOutTheWriterContinues() {
    rejected();

    assertThat(reporter.again(Level.STORE)).isFalse();

    assertThat(reporter.leftOut(Level.STORE)).isTrue();
  }

  /** One failure of STORE must not fail the order that came while it was noticed. */
  @Test
  void ifTheGroupAsksWhileTheLevelIsWrittenAFailureIsTriedOnceMore() {
    rejected();
    assertThat(reporter.askedMeanwhile(Level.STORE)).isFalse();

    assertThat(reporter.again(Level.STORE)).isFalse();

    assertThat(reporter.askedMeanwhile(Level.STORE)).isTrue();
    assertThat(reporter.askedMeanwhile(Level.STORE)).isFalse();
  }

  /** Its first write or copy is still under way, and would count for the second capture. */
  @Test
  void aCaptureThatASecondOneReplacesIsReportedNoMore() {
    rejected();
    reporter.epoch().takeBack(reporter.ticket());

    reporter.held(Level.STORE, List.of());
    reporter.gaveUp(Level.STORE, Why.FAILED, "STORE is silent");
    reporter.epoch().fail(reporter.ticket(), new IOException("a copy failed late"));

    assertThat(sent).last().isInstanceOf(MemberMessage.Again.class);
  }

  /** A lender loses chunks of the first capture when the second one has begun. */
  @Test
  void aCaptureThatASecondOneReplacesIsWithdrawnNoMore() {
    SessionContext context = TicketsTest.context(cache, new Observers());
    FallBack fallBack = new FallBack(MEMBER, new Observers(), System::nanoTime);
    Arrivals arrivals = new Arrivals(context, MEMBER, fallBack);
    arrivals.withdrawn(reporter.epoch(), reporter.ticket(), "the lender is gone");
    assertThat(sent).last().isInstanceOf(MemberMessage.GaveUp.class);
    reporter.epoch().takeBack(reporter.ticket());

    arrivals.withdrawn(reporter.epoch(), reporter.ticket(), "the lender is gone");

    assertThat(sent).last().isInstanceOf(MemberMessage.Again.class);
  }

  @Test
  void theEndOfThisRankAloneGivesNothingUp() {
    tickets.abandon("the rank was closed before");

    assertThat(reporter.isSettled(Level.STORE)).isTrue();
    assertThat(reporter.isGivenUp(Level.STORE)).isFalse();
  }

  /** Work was at risk, so the group sent it there before it was the last; a full queue refused. */
  @Test
  void aLevelThatAnEarlierOrderDidNotReachIsWrittenOnceMore() {
    tickets.settle(ID, Level.STORE, new Outcome.NotDue(Level.STORE));
    tickets.rescue(ID, Set.of(Level.STORE));
    rejected();
    assertThat(reporter.leftOut(Level.STORE)).isFalse();

    assertThat(reporter.again(Level.STORE)).isTrue();
    assertThat(reporter.isGivenUp(Level.STORE)).isFalse();
  }

  @Test
  void aLevelThatAnEarlierOrderIsStillBringingItToIsNotWrittenTwice() {
    tickets.settle(ID, Level.STORE, new Outcome.NotDue(Level.STORE));
    tickets.rescue(ID, Set.of(Level.STORE));

    assertThat(reporter.again(Level.STORE)).isFalse();
  }

  @Test
  void aLevelThatAnEarlierOrderReachedIsNotWrittenAgain() {
    tickets.settle(ID, Level.STORE, new Outcome.NotDue(Level.STORE));
    tickets.rescue(ID, Set.of(Level.STORE));
    tickets.receive(
        new CoordinatorMessage.Settled(1, 0, Level.STORE, new Outcome.Sealed(Level.STORE)));

    assertThat(reporter.again(Level.STORE)).isFalse();
  }
}
