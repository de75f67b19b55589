package io.cairn.engine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.SharingWire;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeskHostTest {
  private static final DeskTerms TERMS = new DeskTerms(TimeUnit.SECONDS.toNanos(60), 8, 100);

  private static DeskHost desk() {
    return new DeskHost(
        TERMS,
        sites -> Topology.uniform(sites.size(), 1e9, 1e9),
        new ParametricFlowScheduler(true, false));
  }

  private static void register(DeskHost desk, String process, int device) {
    HolderId holder = HolderId.of(process, new PeerAddress("localhost", 1 + device));
    HolderSite site = new HolderSite(holder.toString(), "node", device);
    desk.answer(SharingWire.encode(new DeskMessage.Registered(site))).toCompletableFuture().join();
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
      byte[] wrong =
          SharingWire.encode(new DeskMessage.Registered(new HolderSite("nobody", "node", 0)));
      assertThat(desk.answer(wrong).toCompletableFuture())
          .isCompletedExceptionally()
          .failsWithin(Duration.ZERO)
          .withThrowableThat()
          .withMessageContaining("nobody");
      register(desk, "one", 0);
      assertThat(desk.holders().toCompletableFuture().join()).isEqualTo(1);
    }
  }
}
