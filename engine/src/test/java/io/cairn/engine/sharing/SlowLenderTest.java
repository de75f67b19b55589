package io.cairn.engine.sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Compression;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.RegionImage;
import io.cairn.core.peer.LoopbackPeers;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lender that is slow for one borrower answers the others. */
@Timeout(60)
class SlowLenderTest {
  private static final int CHUNK = 4096;
  private static final int SLOTS = 64;
  private static final int LONG = 40;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final byte[] BYTES = new byte[CHUNK];

  @TempDir Path root;

  private final LoopbackPeers network = new LoopbackPeers(5);
  private final AtomicInteger reads = new AtomicInteger();
  private volatile Gate reading = number -> {};
  private SharedMemoryDevice device;
  private ChunkCache cache;
  private Sharing sharing;
  private RawBorrower one;
  private RawBorrower other;

  /** Passes a numbered operation, perhaps later. */
  private interface Gate {
    void pass(int number) throws InterruptedException;
  }

  @BeforeEach
  void open() throws Exception {
    device = SharedMemoryDevice.open(root, root, SLOTS * CHUNK);
    DeviceMemory gated =
        gated(DeviceMemory.class, device, "copyToHostAsync", number -> reading.pass(number));
    cache = new ChunkCache(gated, SLOTS * CHUNK, CHUNK);
    sharing =
        new Sharing(
            new SharingTerms(PATIENCE, PATIENCE, PATIENCE, 100),
            "lender",
            cache,
            gated,
            "here",
            0,
            network.nobody(),
            service -> network.open(service, PATIENCE),
            SharingThreads.ofJvm(System::nanoTime));
    one = new RawBorrower(network, HolderId.parse(sharing.holder()).address(), CHUNK);
    other = new RawBorrower(network, HolderId.parse(sharing.holder()).address(), CHUNK);
  }

  @AfterEach
  void close() {
    one.transport.close();
    other.transport.close();
    sharing.close();
    cache.close();
    device.close();
  }

  private <T> T gated(Class<T> type, T below, String method, Gate gate) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) -> {
              if (called.getName().equals(method)) {
                gate.pass(reads.incrementAndGet());
              }
              try {
                return called.invoke(below, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Grants a lease and writes its slots. */
  private static LeaseId written(RawBorrower borrower, int chunks) {
    LeaseId id = borrower.lease(1);
    assertThat(borrower.ask(new LeaseRequest.Acquire(id, chunks)))
        .isInstanceOf(LeaseAnswer.Granted.class);
    for (int position = 0; position < chunks; position++) {
      borrower.push(id, position, BYTES).toCompletableFuture().join();
    }
    return id;
  }

  private static CompletableFuture<LeaseAnswer> fill(RawBorrower borrower, LeaseId id, int chunks) {
    List<FilledChunk> filled =
        IntStream.range(0, chunks)
            .mapToObj(i -> new FilledChunk(i, i, CHUNK, RawBorrower.checksum(BYTES)))
            .toList();
    return borrower
        .ask(new PeerRequest.Lease(new LeaseRequest.Filled(id, filled)))
        .thenApply(bytes -> Wire.decode(bytes, PeerReply.Leased.class).answer())
        .toCompletableFuture();
  }

  /** The second borrower is acknowledged before the rest of the first one's chunks is read. */
  @Test
  void aShortLeaseIsVerifiedBetweenThePartsOfALongOne() throws Exception {
    LeaseId longLease = written(one, LONG);
    LeaseId shortLease = written(other, 1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch queued = new CountDownLatch(1);
    CountDownLatch acknowledged = new CountDownLatch(1);
    reads.set(0);
    reading =
        number -> {
          begun.countDown();
          queued.await();
          if (number > LONG / 2) {
            acknowledged.await();
          }
        };

    CompletableFuture<LeaseAnswer> ofLong = fill(one, longLease, LONG);
    begun.await();
    CompletableFuture<LeaseAnswer> ofShort = fill(other, shortLease, 1);
    other.ask(new LeaseRequest.Release(other.lease(2))); // answered after the fill was handled
    queued.countDown();

    try {
      assertThat(ofShort.get(20, TimeUnit.SECONDS)).isInstanceOf(LeaseAnswer.Acknowledged.class);
    } finally {
      acknowledged.countDown();
    }
    assertThat(ofLong.join()).isInstanceOf(LeaseAnswer.Acknowledged.class);
  }

  @Test
  void anOrderBehindASlowContainerIsRefusedSoThatItsBorrowerWritesItself() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    try (LocalStore store = LocalStore.open(root.resolve("node"), Durability.PROCESS)) {
      String identity = StoreIdentity.of(store);
      CheckpointStore node =
          gated(
              CheckpointStore.class,
              store,
              "create",
              number -> {
                begun.countDown();
                open.await();
              });
      sharing.flushTo(group -> node, Compression.NONE, bytes -> {});
      LeaseId slow = written(one, 1);
      LeaseId behind = written(other, 1);
      fill(one, slow, 1).join();
      fill(other, behind, 1).join();
      try {
        CompletableFuture<byte[]> first = order(one, slow, identity);
        begun.await();

        CompletableFuture<byte[]> second = order(other, behind, identity);

        assertThatThrownBy(second::join).hasMessageContaining("containers of other borrowers");
        assertThat(other.ask(new LeaseRequest.Release(behind)))
            .isInstanceOf(LeaseAnswer.Released.class);
        assertThat(Wire.decode(first.join(), PeerReply.Flushing.class))
            .isInstanceOf(PeerReply.StillWriting.class);
      } finally {
        open.countDown();
      }
      sharing.close();
    }
  }

  private static CompletableFuture<byte[]> order(RawBorrower borrower, LeaseId id, String node) {
    RegionImage image = new RegionImage("r", CHUNK, CHUNK, new int[] {RawBorrower.checksum(BYTES)});
    return borrower.ask(new PeerRequest.Flush(id, 1, node, List.of(image))).toCompletableFuture();
  }
}
