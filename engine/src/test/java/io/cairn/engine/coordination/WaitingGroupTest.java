package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A host looks whether ranks wait for others: not more than once at a time, nor for nothing. */
class WaitingGroupTest {
  private static final GroupId GROUP = new GroupId("job", "wave");

  @TempDir Path root;

  private final Queue<Runnable> looks = new ArrayDeque<>();
  private final List<String> sent = new ArrayList<>();
  private long nowNanos;
  private LocalStore store;
  private GroupHost host;

  @BeforeEach
  void open() throws IOException {
    store = LocalStore.open(root, Durability.PROCESS);
    HostContext context =
        CallersThread.context(
            store, () -> nowNanos, Runnable::run, (nanos, task) -> looks.add(task));
    host = new GroupHost(context, GROUP, 2, (rank, name, message) -> sent.add(name + message));
    for (int rank = 0; rank < 2; rank++) {
      Origin origin = new Origin(GroupBirth.of(store, GROUP), 0);
      host.on(new MemberMessage.Join(rank, 2, "attempt-" + rank, origin));
    }
    for (int rank = 0; rank < 2; rank++) {
      host.on(new MemberMessage.Offer(rank, 1, List.of()));
    }
    looks.clear();
    sent.clear();
  }

  @Test
  void aRankWithAnotherStoreIsRefusedAndEndsNoEpoch() {
    host.on(new MemberMessage.Join(1, 2, "stranger", new Origin("another birth", 0)));

    assertThat(sent)
        .singleElement()
        .asString()
        .startsWith("strangerRefused")
        .contains("rank 1 of job/wave has another store")
        .contains(root.toString());
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  /** Otherwise its rank would wait for an answer that nobody gives. */
  @Test
  void aJoinThatCannotBeHandledIsRefused() throws IOException {
    List<CoordinatorMessage> sent = new ArrayList<>();
    HostContext broken =
        CallersThread.context(
            store,
            () -> nowNanos,
            Runnable::run,
            (nanos, task) -> {
              throw new IllegalStateException("no timer is left");
            });

    new GroupHost(broken, GROUP, 2, (rank, name, message) -> sent.add(message))
        .on(new MemberMessage.Join(0, 2, "attempt", new Origin(GroupBirth.of(store, GROUP), 0)));

    assertThat(sent)
        .singleElement()
        .isInstanceOfSatisfying(
            CoordinatorMessage.Refused.class,
            refused -> assertThat(refused.reason()).contains("no timer is left"));
  }

  private void held(int rank, long iteration) {
    host.on(new MemberMessage.Held(rank, 1, iteration, Level.DEVICE, List.of(), Measurement.NONE));
  }

  private void look() {
    nowNanos += Duration.ofMinutes(1).toNanos();
    looks.remove().run();
  }

  @Test
  void oneLookIsOnItsWayWhileRanksReport() {
    for (int iteration = 0; iteration < 5; iteration++) {
      held(0, iteration);
      held(1, iteration);
    }
    assertThat(looks).hasSize(1);

    look();

    assertThat(looks).as("nobody waits").isEmpty();
    held(0, 5);
    assertThat(looks).hasSize(1);
  }

  @Test
  void aGroupThatWaitsIsLookedAtUntilItGoesOn() {
    held(0, 0);
    look();
    look();
    held(0, 1);
    assertThat(looks).hasSize(1);
    held(1, 0);
    held(1, 1);

    look();

    assertThat(looks).isEmpty();
  }

  @Test
  void aGroupThatEveryoneHasLeftIsNotLookedAt() {
    held(0, 0);
    host.on(new MemberMessage.Leave(0, 1));
    host.on(new MemberMessage.Leave(1, 1));

    look();

    assertThat(looks).isEmpty();
  }
}
