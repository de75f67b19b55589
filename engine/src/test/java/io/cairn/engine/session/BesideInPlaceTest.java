package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DelayedDevice;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.Origin;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.events.Observers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A capture beside the training for which the cache has no room. */
@Timeout(60)
class BesideInPlaceTest {
  private static final Member MEMBER = new Member(new GroupId("job", "pair"), 1, 2);
  private static final int CHUNK = 8;

  /** A rank that closes is not held by a device that waits for other work. */
  @Test
  void aBoundedWaitLeavesACaptureInPlaceThatDoesNotEnd() throws Exception {
    try (DelayedDevice device = new DelayedDevice(CHUNK, 1);
        ChunkCache cache = new ChunkCache(device, CHUNK, CHUNK);
        Membership membership =
            new Membership(
                ReporterTest::connect,
                MEMBER,
                new Origin("", 0),
                () -> {},
                Waits.REAL,
                Duration.ofMinutes(1),
                System::nanoTime,
                message -> {})) {
      Tickets tickets = new Tickets(TicketsTest.context(cache, new Observers()), MEMBER);
      Ticket ticket =
          tickets.open(
              new CheckpointId(MEMBER.group(), 1, 0),
              new FollowedCadence.Due(Set.of(Level.STORE), false));
      ProtectedRegions regions = new ProtectedRegions(device, CHUNK);
      regions.protect(Region.of("weights", new byte[CHUNK]));
      Captures.Request request =
          new Captures.Request(
              new EpochSession(MEMBER.rank(), membership, tickets, null),
              ticket,
              regions.snapshot(),
              Fingerprint.NONE,
              Captures.Mode.BESIDE,
              () -> new Timing(0, Set.of(), 0, 0, Timing.Waiting.NONE));
      CompletableFuture<Void> mayLand = new CompletableFuture<>();
      AtomicInteger captures = new AtomicInteger();
      Beside beside =
          new Beside(
              request,
              Timing.Waiting.NONE,
              mayLand,
              Optional::empty,
              () -> captures.incrementAndGet());

      beside.await(Duration.ofNanos(1));

      assertThat(captures).hasValue(1);
      assertThat(ticket.captured()).isNotDone();
      assertThat(mayLand).as("its regions may be read later").isNotDone();
    }
  }
}
