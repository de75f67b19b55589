package io.cairn.engine.sharing.borrower;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.Peers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A lender that is suspended for hours, and then answers. */
class ReleasesTest {
  private static final String LENDER = "lender/n@127.0.0.1:9";

  private final List<LeaseId> asked = new ArrayList<>();
  private boolean suspended = true;
  private @Nullable CompletableFuture<byte[]> hanging;
  private final DelayedDevice device = new DelayedDevice(8, 1);
  private final Peers peers =
      new Peers(
          new PeerTransport() {
            @Override
            public PeerAddress address() {
              return new PeerAddress("127.0.0.1", 1);
            }

            @Override
            public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
              PeerRequest.Lease lease = (PeerRequest.Lease) Wire.decode(request, PeerRequest.class);
              LeaseId id = lease.request().id();
              asked.add(id);
              if (hanging != null) {
                return hanging;
              }
              return suspended
                  ? CompletableFuture.failedFuture(
                      new PeerException(peer, Reason.LOST, "a release", "silent"))
                  : CompletableFuture.completedFuture(
                      Wire.encode(new PeerReply.Leased(new LeaseAnswer.Released(id))));
            }

            @Override
            public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
              throw new AssertionError("nothing is pushed");
            }

            @Override
            public void close() {}
          },
          device,
          "here",
          8,
          10,
          found -> {});
  private final Releases releases = new Releases(peers);

  @AfterEach
  void close() {
    peers.close();
    device.close();
  }

  private static LeaseId lease(long nonce) {
    return new LeaseId(
        "borrower/n@127.0.0.1:1", nonce, new CheckpointId(new GroupId("job", "run"), 1, 0), 0);
  }

  private void rounds(int rounds) {
    for (int round = 0; round < rounds; round++) {
      releases.sendAgain();
    }
  }

  @Test
  void aLenderThatReturnsAfterHoursGetsItsSlotsBack() {
    releases.send(lease(1), LENDER);
    releases.send(lease(2), LENDER);
    rounds(20_000);
    assertThat(asked).hasSizeLessThan(1000);

    suspended = false;
    asked.clear();
    rounds(100);

    assertThat(asked).containsExactly(lease(1), lease(2));
  }

  @Test
  void releasesToALenderThatIsProvenDeadAreForgotten() {
    releases.send(lease(1), LENDER);
    releases.forget(LENDER);
    asked.clear();

    rounds(100);

    assertThat(asked).isEmpty();
  }

  /** A copy to its slots ends only now; nobody says once more that it is dead. */
  @Test
  void aLeaseThatIsReleasedAfterItsLendersDeathIsForgotten() {
    releases.forget(LENDER);
    releases.send(lease(1), LENDER);

    rounds(100);

    assertThat(asked).isEmpty();
  }

  @Test
  void aReleaseThatIsUnderWayIsNotSentAgain() {
    CompletableFuture<byte[]> first = new CompletableFuture<>();
    hanging = first;
    releases.send(lease(1), LENDER);
    rounds(100);
    assertThat(asked).containsExactly(lease(1));

    first.completeExceptionally(new IOException("silent"));
    rounds(1);

    assertThat(asked).hasSize(2);
  }
}
