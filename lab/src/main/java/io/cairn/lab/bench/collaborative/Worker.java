package io.cairn.lab.bench.collaborative;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.Region;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingTerms;
import io.cairn.engine.sharing.SharingThreads;
import io.cairn.engine.sharing.borrower.Leases;
import io.cairn.lab.study.throttle.ThrottledLinks;
import io.cairn.lab.study.throttle.ThrottledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a coupled group, with a device and host memory behind slowed links. A checkpoint is
 * prepared, shared, verified and dropped, in this order. One thread.
 */
final class Worker implements AutoCloseable {
  private static final GroupId GROUP = new GroupId("bench", "collaborative");
  private static final String HOST = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration FILL = Duration.ofMinutes(10);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final int rank;
  private final WorkerSetting setting;
  private final SharedMemoryDevice device;
  private final SharedMemoryDevice host;
  private final DeviceMemory slowDevice;
  private final DeviceMemory slowHost;
  private final ChunkCache cache;
  private final Sharing sharing;
  private final ByteBuffer state;
  private final ByteBuffer found;
  private final ByteBuffer expected;
  private final AtomicReference<@Nullable String> withdrawn = new AtomicReference<>();
  private @Nullable Checkpoint current;

  /** A checkpoint of which the home chunks are copied. */
  private static final class Checkpoint {
    private final PlayedState state;
    private final CachedCheckpoint target;
    private final Capture capture;
    private final int home;
    private @Nullable RegionImage image;
    private @Nullable CompletionStage<Void> held;

    Checkpoint(PlayedState state, CachedCheckpoint target, Capture capture) {
      this.state = state;
      this.target = target;
      this.capture = capture;
      this.home = target.placed();
    }
  }

  /**
   * The result of sharing.
   *
   * @param asked the moment of the report, of {@link System#nanoTime}
   * @param landed the moment at which every chunk was copied
   * @param borrowed chunks that lie with peers
   */
  record Shared(long asked, long landed, int borrowed) {
    /** The inverse of {@link #toString}. */
    static Shared of(String text) {
      String[] words = text.split(" ", -1);
      return new Shared(
          Long.parseLong(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2]));
    }

    @Override
    public String toString() {
      return asked + " " + landed + " " + borrowed;
    }
  }

  /** Opens device and host memory, and registers at the desk. */
  Worker(int rank, WorkerSetting setting) throws IOException {
    this.rank = rank;
    this.setting = setting;
    int chunkBytes = setting.machine().chunkBytes();
    long cacheBytes = (long) setting.cacheChunks() * chunkBytes;
    long hostBytes = (long) setting.hostChunks() * chunkBytes;
    device = SharedMemoryDevice.open(setting.memory(), setting.memory(), cacheBytes);
    host = SharedMemoryDevice.open(setting.memory(), setting.memory(), Math.max(1, hostBytes));
    ThrottledLinks links = setting.links();
    slowDevice = ThrottledMemory.device(device, rank, links);
    slowHost = ThrottledMemory.host(host, rank, links);
    cache = new ChunkCache(slowDevice, cacheBytes, slowHost, hostBytes, chunkBytes);
    state = ByteBuffer.allocateDirect(Math.toIntExact(setting.mostBytes()));
    found = ByteBuffer.allocateDirect(chunkBytes);
    expected = ByteBuffer.allocateDirect(chunkBytes);
    sharing =
        new Sharing(
            new SharingTerms(PATIENCE, FILL, PATIENCE, cache.slots()),
            "device-" + rank,
            cache,
            slowDevice,
            "bench",
            rank,
            new PeerAddress(HOST, setting.deskPort()),
            service ->
                TcpPeerTransport.open(
                    HOST, 0, CoordinatorBenchmark.SECRET, service, PeerLimits.DEFAULT),
            SharingThreads.ofJvm(System::nanoTime));
  }

  /** Begins a checkpoint of so many bytes, and copies what fits into the own cache. */
  void prepare(long iteration, long bytes) throws IOException {
    PlayedState played = new PlayedState(iteration, rank);
    ByteBuffer region = state.slice(0, Math.toIntExact(bytes));
    played.fillAll(cache.chunkBytes(), region);
    ProtectedRegions regions = new ProtectedRegions(cache.memory(), cache.chunkBytes());
    regions.protect(Region.of("state", region));
    Snapshot snapshot = regions.snapshot();
    CheckpointId id = new CheckpointId(GROUP, 1, iteration);
    CachedCheckpoint target = cache.reservePart(id, rank, snapshot.chunks());
    current = new Checkpoint(played, target, snapshot.copyInto(target));
  }

  /** Reports at a moment, and copies all that is left to where the plan says. */
  Shared share(long moment) throws IOException, InterruptedException {
    Checkpoint checkpoint = Objects.requireNonNull(current);
    for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
    Member member = new Member(GROUP, rank, setting.machine().devices());
    long asked = System.nanoTime();
    Leases leases =
        sharing.place(sharing.ask(member, checkpoint.target), checkpoint.capture, withdrawn::set);
    List<RegionImage> images = checkpoint.capture.await();
    long landed = System.nanoTime();
    checkpoint.target.complete(images, Ancestry.NONE, Fingerprint.NONE);
    checkpoint.image = images.get(0);
    checkpoint.held = leases.announce();
    return new Shared(asked, landed, leases.chunks());
  }

  /**
   * Reads every chunk that is not at home from where it lies, past the slow links, and compares it
   * with what was to be kept; and waits until its holder has verified it, too.
   *
   * @return bytes that were compared
   * @throws IOException naming the first chunk that is another
   */
  long verify() throws Exception {
    Checkpoint checkpoint = Objects.requireNonNull(current);
    Objects.requireNonNull(checkpoint.held)
        .toCompletableFuture()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    String reason = withdrawn.get();
    if (reason != null) {
      throw new IOException(checkpoint.target + " was withdrawn: " + reason);
    }
    RegionImage image = Objects.requireNonNull(checkpoint.image);
    long bytes = 0;
    for (int chunk = checkpoint.home; chunk < image.chunks(); chunk++) {
      bytes += verify(checkpoint, chunk, image.chunkLength(chunk));
    }
    return bytes;
  }

  private int verify(Checkpoint checkpoint, int chunk, int length) throws IOException {
    Place place = checkpoint.target.place(chunk);
    SharedMemoryDevice memory = place.engine().equals(slowHost) ? host : device;
    found.clear().limit(length);
    expected.clear().limit(length);
    memory.copyToHostAsync(place.address().slice(0, length), found).awaitLanding();
    checkpoint.state.fill(chunk, expected);
    int differs = found.rewind().mismatch(expected);
    if (differs >= 0) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: chunk %d differs at byte %d of %d",
              checkpoint.target,
              chunk,
              differs,
              length));
    }
    return length;
  }

  /** Drops the checkpoint, and waits until all of the own cache is free again. */
  void drop() throws IOException {
    Checkpoint checkpoint = Objects.requireNonNull(current);
    checkpoint.target.discard();
    current = null;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (cache.freeSlots() < cache.slots() || cache.freeHostSlots() < cache.hostSlots()) {
      if (deadline - System.nanoTime() < 0) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%d of %d slots are free %s after %s was dropped",
                cache.freeSlots(),
                cache.slots(),
                PATIENCE,
                checkpoint.target));
      }
      LockSupport.parkNanos(this, POLL_NANOS);
    }
  }

  @Override
  public void close() {
    sharing.close();
    cache.close();
    slowDevice.close();
    slowHost.close();
  }
}
