package io.cairn.engine.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.SharingWire;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DeskHostTest {
  private static final DeskTerms TERMS = new DeskTerms(TimeUnit.SECONDS.toNanos(60), 8, 100);

  private static void register(DeskHost desk, String process, int device) {
    HolderId holder = HolderId.of(process, new PeerAddress("localhost", 1 + device));
    HolderSite site = new HolderSite(holder.toString(), "node", device);
    desk.answer(SharingWire.encode(new DeskMessage.Registered(site))).toCompletableFuture().join();
  }

  @Test
  void itKnowsHowManyHoldersAreRegistered() {
    DeskHost desk =
        new DeskHost(
            TERMS,
            sites -> Topology.uniform(sites.size(), 1e9, 1e9),
            new ParametricFlowScheduler(true, false));
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

  private static DeskHost open() {
    return new DeskHost(
        TERMS,
        sites -> Topology.uniform(sites.size(), 1e9, 1e9),
        new ParametricFlowScheduler(true, false));
  }

  /** What it said last comes after the news of its end. */
  @Test
  void aProcessThatIsGoneDoesNotComeBack() {
    try (DeskHost desk = open()) {
      register(desk, "one", 0);
      desk.gone("one");
      register(desk, "one", 0);
      assertThat(desk.holders().toCompletableFuture().join()).isZero();
    }
  }

  /** Nobody else's end would be heard of any more. */
  @Test
  void whoCannotBeToldFromOthersIsNotRegistered() {
    try (DeskHost desk = open()) {
      HolderSite nameless = new HolderSite("nameless", "node", 0);
      assertThat(desk.answer(SharingWire.encode(new DeskMessage.Registered(nameless))))
          .isCompletedExceptionally();
      register(desk, "one", 1);
      desk.gone("one");
      assertThat(desk.holders().toCompletableFuture().join()).isZero();
    }
  }
}
