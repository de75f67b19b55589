package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.events.Observers;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NearestCopy;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.promotion.PromotionStep;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.CopySource;
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

/** Orders to rank 1 of two, which has forgotten the checkpoint that they name. */
class OrdersTest {
  private static final Member MEMBER = new Member(new GroupId("job", "pair"), 1, 2);
  private static final CheckpointId FORGOTTEN = new CheckpointId(MEMBER.group(), 1, 7);
  private static final int CHUNK = 8;

  private final DelayedDevice device = new DelayedDevice(CHUNK, 1);
  private final List<MemberMessage> sent = new ArrayList<>();
  private ChunkCache cache;
  private Tickets tickets;
  private Arrivals arrivals;
  private EpochSession epoch;

  @BeforeEach
  void open() throws IOException {
    cache = new ChunkCache(device, CHUNK, CHUNK);
    Observers observers = new Observers();
    SessionContext context =
        TicketsTest.context(cache, observers, List.of(step(Level.NODE), step(Level.STORE)));
    tickets = new Tickets(context, MEMBER);
    FallBack fallBack = new FallBack(MEMBER, observers, System::nanoTime);
    arrivals = new Arrivals(context, MEMBER, fallBack);
    Membership membership =
        new Membership(
            this::connect,
            MEMBER,
            new Origin("", 0),
            () -> {},
            Waits.REAL,
            Duration.ofMinutes(1),
            System::nanoTime,
            message -> {});
    sent.clear();
    epoch = new EpochSession(MEMBER.rank(), membership, tickets, null);
  }

  @AfterEach
  void close() {
    cache.close();
    device.close();
  }

  private static PromotionStep step(Level level) {
    return new PromotionStep(
        level, Level.DEVICE, Stage.on(Runnable::run, "unused", 1), new Unwritten());
  }

  /** A level that nothing is written to. */
  private static final class Unwritten implements LevelWriter {
    @Override
    public CopySource copies(Optional<RankSurvey> atStore) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) {
      throw new UnsupportedOperationException();
    }
  }

  private Coordination.Link connect(
      Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    return new Coordination.Link() {
      @Override
      public void send(MemberMessage message) {
        sent.add(message);
        if (message instanceof MemberMessage.Join) {
          inbox.accept(
              new CoordinatorMessage.Joined(1, CadencePlan.every(1, 10, 50), Optional.empty()));
        }
      }

      @Override
      public void close() {}
    };
  }

  private void receive(CoordinatorMessage order) {
    arrivals.receive(order, tickets, () -> epoch);
  }

  private List<Level> givenUp() {
    return sent.stream().map(message -> ((MemberMessage.GaveUp) message).level()).toList();
  }

  /** The other ranks would wait for this one until they close. */
  @Test
  void aForgottenCheckpointThatTheGroupRescuesIsGivenUpAtEveryLevel() {
    receive(new CoordinatorMessage.Rescue(1, FORGOTTEN.iteration()));

    assertThat(givenUp()).containsExactlyInAnyOrder(Level.NODE, Level.STORE);
    assertThat(sent)
        .allSatisfy(
            message ->
                assertThat(((MemberMessage.GaveUp) message).iteration())
                    .isEqualTo(FORGOTTEN.iteration()));
  }

  /** Its data reached NODE, and its write to STORE waits in the queue. */
  @Test
  void aForgottenCheckpointThatIsOnItsWayIsNotGivenUpThere() {
    tickets.open(FORGOTTEN, new FollowedCadence.Due(Set.of(Level.DEVICE, Level.STORE), false));

    receive(new CoordinatorMessage.Rescue(1, FORGOTTEN.iteration()));

    assertThat(givenUp()).containsExactly(Level.NODE);
  }

  @Test
  void anOrderOfAnotherEpochGivesNothingUp() {
    receive(new CoordinatorMessage.Rescue(2, FORGOTTEN.iteration()));

    assertThat(sent).isEmpty();
  }

  @Test
  void aGroupThatHasNothingAtDeviceRescuesNothing() {
    receive(new CoordinatorMessage.Rescue(1, -1));

    assertThat(sent).isEmpty();
  }
}
