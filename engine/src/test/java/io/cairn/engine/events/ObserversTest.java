package io.cairn.engine.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.RestoreReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObserversTest {
  private static final GroupId GROUP = new GroupId("job", "run");
  private static final Member MEMBER = new Member(GROUP, 0, 1);
  private static final CheckpointId ID = new CheckpointId(GROUP, 1, 7);
  private static final List<CairnEvent> ONE_OF_EACH =
      List.of(
          new CairnEvent.Captured(ID, MEMBER, 100, 20),
          new CairnEvent.Settled(ID, MEMBER, Level.NODE, new Outcome.Sealed(Level.NODE)),
          new CairnEvent.Stale(ID, MEMBER, Set.of("weights")),
          new CairnEvent.Written(ID, Level.STORE, 1000, 300),
          new CairnEvent.Evicted(ID, 0),
          new CairnEvent.CacheShrank(700, 3, 10),
          new CairnEvent.Withdrawn(ID, MEMBER, "the lender died"),
          new CairnEvent.FellBack(ID, MEMBER, "nobody lends"),
          new CairnEvent.HasRoomAgain(ID, MEMBER),
          new CairnEvent.Leased(ID, MEMBER, 4096, 30),
          new CairnEvent.LentFlushed(4096),
          new CairnEvent.ReadFromNode(512),
          new CairnEvent.ServedFromNode(256),
          new CairnEvent.KeptForPeer(128),
          new CairnEvent.StagedForOthers(64),
          new CairnEvent.Restored(
              MEMBER, new RestoreReport(ID, Level.NODE, "here", 100, List.of())),
          new CairnEvent.Quarantined(ID, MEMBER, Level.NODE, "a file", "a flipped bit"),
          new CairnEvent.Repaired(ID, MEMBER, Level.NODE, 200),
          new CairnEvent.NotRepaired(ID, MEMBER, Level.NODE, "no other copy"),
          new CairnEvent.Hangs(MEMBER, "its capture", Duration.ofMinutes(5), "main", List.of()),
          new CairnEvent.UnknownRegions(MEMBER, Set.of("bias")),
          new CairnEvent.Unused(MEMBER));

  private final Observers observers = new Observers();

  @Test
  void thereIsASampleOfEveryEvent() {
    assertThat(ONE_OF_EACH.stream().map(Object::getClass))
        .containsExactlyInAnyOrder(CairnEvent.class.getPermittedSubclasses());
  }

  @Test
  void countersTakeEveryEvent() {
    Counters counters = new Counters();

    ONE_OF_EACH.forEach(counters);

    assertThat(counters.snapshot())
        .containsEntry("captures", 1L)
        .containsEntry("captured.bytes", 100L)
        .containsEntry("blocked.nanos", 20L)
        .containsEntry("device.evictions", 1L)
        .containsEntry("device.thinned", 0L)
        .containsEntry("device.givenUp.bytes", 700L)
        .containsEntry("device.withdrawals", 1L)
        .containsEntry("device.fallbacks", 1L)
        .containsEntry("hangs", 1L)
        .containsEntry("lent.flushed.bytes", 4096L)
        .containsEntry("node.read.bytes", 512L)
        .containsEntry("node.served.bytes", 256L)
        .containsEntry("peer.kept.bytes", 128L)
        .containsEntry("staged.bytes", 64L)
        .containsEntry("store.state.bytes", 1000L)
        .containsEntry("store.written.bytes", 300L)
        .containsEntry("node.sealed", 1L)
        .containsEntry("node.quarantined", 1L)
        .containsEntry("node.repaired", 1L)
        .containsEntry("node.unrepaired", 1L)
        .hasSize(20);
  }

  @Test
  void anObserverThatThrowsHidesNothingFromTheNext() {
    List<CairnEvent> received = new ArrayList<>();
    observers.add(
        event -> {
          throw new IllegalStateException("broken observer");
        });
    observers.add(received::add);

    ONE_OF_EACH.forEach(observers::publish);

    assertThat(received).isEqualTo(ONE_OF_EACH);
  }

  /** A class of the observer's may be missing, or one of its assertions fail. */
  @Test
  void anObserverThatThrowsAnErrorHidesNothingFromTheNext() {
    List<CairnEvent> received = new ArrayList<>();
    observers.add(
        event -> {
          throw new NoClassDefFoundError("io/cairn/Missing");
        });
    observers.add(received::add);

    ONE_OF_EACH.forEach(observers::publish);

    assertThat(received).isEqualTo(ONE_OF_EACH);
  }

  /** On a busy machine a training of short iterations is captured every third time. */
  @Test
  void iterationsThatTheSettingsAskForAndTheCadenceLeavesOutAreThinned() {
    Counters every = new Counters();
    Counters everyFourth = new Counters(4);
    for (long iteration = 0; iteration < 8; iteration++) {
      CheckpointId id = new CheckpointId(GROUP, 1, iteration);
      CairnEvent left =
          new CairnEvent.Settled(id, MEMBER, Level.DEVICE, new Outcome.NotDue(Level.DEVICE));
      every.accept(left);
      everyFourth.accept(left);
    }

    assertThat(every.snapshot()).containsEntry("device.thinned", 8L);
    assertThat(everyFourth.snapshot()).containsEntry("device.thinned", 2L);
  }

  @Test
  void aRemovedObserverReceivesNothing() {
    Counters counters = new Counters();
    observers.add(counters);

    observers.remove(counters);
    ONE_OF_EACH.forEach(observers::publish);

    assertThat(counters.snapshot()).containsEntry("captures", 0L);
  }
}
