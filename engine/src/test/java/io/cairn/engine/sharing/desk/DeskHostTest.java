package io.cairn.engine.sharing.desk;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.sharing.PlanAnswer.PlannedLease;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.HolderId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeskHostTest {
  private static final GroupId PAIR = new GroupId("job", "pair");
  private static final PeerRequest SHARES = new PeerRequest.Shares(PAIR);
  private static final DeskTerms TERMS = new DeskTerms(TimeUnit.SECONDS.toNanos(60), 8, 100);

  private static final long SILENCE_NANOS = NodeRegister.SILENCE.toNanos();

  private static DeskHost desk() {
    return new DeskHost(
        TERMS,
        sites -> Topology.uniform(sites.size(), 1e9, 1e9),
        new ParametricFlowScheduler(true, false));
  }

  private static void register(DeskHost desk, String process, int device) {
    desk.answer(registration(process, device)).toCompletableFuture().join();
  }

  private static DeskMessage registration(String process, int device) {
    HolderId holder = HolderId.of(process, new PeerAddress("localhost", 1 + device));
    HolderSite site = new HolderSite(holder.toString(), "node", device);
    return new DeskMessage.Registered(site);
  }

  @Test
  void itKnowsHowManyHoldersAreRegistered() {
    DeskHost desk = desk();
    try (desk) {
      assertThat(desk.holders().toCompletableFuture().join()).isZero();
      register(desk, "one", 0);
      register(desk, "two", 1);
      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(2);
      desk.gone("one");
      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(1);
    }
    assertThat(desk.holders()).isCompletedExceptionally();
  }

  /** It was stopped so long that it counted as lost, and woke. */
  @Test
  void aProcessThatIsGoneDoesNotComeBack() {
    try (DeskHost desk = desk()) {
      register(desk, "one", 0);
      desk.gone("one");
      desk.gone("two");
      register(desk, "one", 0);
      register(desk, "two", 1);
      register(desk, "three", 2);
      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(1);
    }
  }

  @Test
  void aHolderThatIsNoneIsRefusedAndHarmsNobody() {
    try (DeskHost desk = desk()) {
      DeskMessage wrong = new DeskMessage.Registered(new HolderSite("nobody", "node", 0));
      assertThat(desk.answer(wrong).toCompletableFuture())
          .isCompletedExceptionally()
          .failsWithin(Duration.ZERO)
          .withThrowableThat()
          .withMessageContaining("nobody");
      register(desk, "one", 0);
      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(1);
    }
  }

  /** Its end was not reported, as without Spark. */
  @Test
  void aHolderThatFellSilentIsForgottenUntilItReturns() {
    AtomicLong clock = new AtomicLong();
    try (DeskHost desk = desk(new DeskTerms(1, 8, 100), clock)) {
      DeskMessage silent = registration("silent", 0);
      DeskMessage other = registration("other", 1);
      desk.answer(silent).toCompletableFuture().join();
      for (int fifth = 1; fifth <= 4; fifth++) {
        clock.addAndGet(SILENCE_NANOS / 5);
        desk.answer(other).toCompletableFuture().join();
      }
      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(2);

      clock.addAndGet(SILENCE_NANOS / 5);
      desk.answer(other).toCompletableFuture().join();

      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(1);
      desk.answer(silent).toCompletableFuture().join();
      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(2);
    }
  }

  /** Registrations waited for it, so their silence was its own. */
  @Test
  void aDeskThatWasStoppedForgetsNobody() {
    AtomicLong clock = new AtomicLong();
    try (DeskHost desk = desk(new DeskTerms(1, 8, 100), clock)) {
      DeskMessage one = registration("one", 0);
      desk.answer(one).toCompletableFuture().join();
      desk.answer(registration("two", 1)).toCompletableFuture().join();
      clock.addAndGet(2 * SILENCE_NANOS);

      desk.answer(one).toCompletableFuture().join();

      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(2);
    }
  }

  @Test
  void slotsThatWerePlannedForASilentBorrowerArePlannedAgain() {
    AtomicLong clock = new AtomicLong();
    try (DeskHost desk = desk(new DeskTerms(1, 8, 100), clock)) {
      String dead = registered(desk, "dead", 0);
      String living = registered(desk, "living", 1);
      String lender = registered(desk, "lender", 2);
      desk.answer(new DeskMessage.Spare(lender, 4, 4096)).toCompletableFuture().join();
      assertThat(planned(desk, "first", dead)).containsExactly(new PlannedLease(lender, 4));
      assertThat(planned(desk, "second", living)).isEmpty();

      for (int fifth = 0; fifth < 5; fifth++) {
        clock.addAndGet(SILENCE_NANOS / 5);
        registerHolder(desk, living, 1);
        registerHolder(desk, lender, 2);
      }

      assertThat(planned(desk, "third", living)).containsExactly(new PlannedLease(lender, 4));
    }
  }

  private static DeskHost desk(DeskTerms terms, AtomicLong clock) {
    return new DeskHost(
        terms,
        sites -> Topology.builder(sites.size()).linkAll(1e9).host(1).build(),
        new ParametricFlowScheduler(true, false),
        () -> clock.addAndGet(1000), // so that each window ends
        Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(DeskHost.THREAD)));
  }

  private static String registered(DeskHost desk, String process, int device) {
    String holder = HolderId.of(process, new PeerAddress("localhost", 1 + device)).toString();
    registerHolder(desk, holder, device);
    return holder;
  }

  private static void registerHolder(DeskHost desk, String holder, int device) {
    HolderSite site = new HolderSite(holder, "node", device);
    desk.answer(new DeskMessage.Registered(site)).toCompletableFuture().join();
  }

  /** The leases of a rank of its own whose four chunks have no room. */
  private static List<PlannedLease> planned(DeskHost desk, String group, String holder) {
    Member member = new Member(new GroupId("job", group), 0, 1);
    PeerReply reply =
        desk.answer(new DeskMessage.Report(member, 1, 1, holder, 4, 0, 4096))
            .toCompletableFuture()
            .join();
    return ((PlanAnswer.Part) ((PeerReply.Planned) reply).answer()).leases();
  }

  /** Its ranks shall report too, or the others wait for them. */
  @Test
  void whoRegistersLaterHearsWhichGroupsShare() throws Exception {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (DeskHost desk = desk()) {
      desk.service(
          (holder, message) ->
              told.add(holder.port() + " " + Wire.decode(message, PeerRequest.class)));
      register(desk, "one", 0);
      Member member = new Member(PAIR, 0, 2);
      String holder = HolderId.of("one", new PeerAddress("localhost", 1)).toString();
      var unused = desk.answer(new DeskMessage.Report(member, 1, 1, holder, 3, 0, 4096));
      assertThat(told.take()).isEqualTo("1 " + SHARES);
      DeskMessage registration = registration("two", 1);
      desk.answer(registration).toCompletableFuture().join();
      assertThat(told.take()).isEqualTo("2 " + SHARES);
      desk.answer(registration).toCompletableFuture().join();
      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(2);
      assertThat(told).as("once").isEmpty();
    }
  }
}
