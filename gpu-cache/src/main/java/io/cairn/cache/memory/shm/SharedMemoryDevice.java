package io.cairn.cache.memory.shm;

import io.cairn.cache.memory.CompletedCopy;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.ExtentAllocator;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared memory as a device. It reserves, maps and touches files, the arenas: one when it is
 * opened, or one for each allocation. Copies complete on the calling thread. It reaches host memory
 * alone. No allocation crosses a multiple of 1 GiB, so none is longer than that. Several devices
 * may exist in one process.
 */
public final class SharedMemoryDevice implements DeviceMemory {
  /*
   * Ownership of an arena
   *
   * The file lies in a directory of this user alone and carries a kernel lock for the owner's life.
   * A starting process removes every arena whose lock is free. No process reads a dead owner's
   * arena as DEVICE.
   *
   * Space
   *
   * The whole file is written before it is mapped, so that a full file system is an IOException and
   * the fall-back directory, never a SIGBUS. Its pages are touched before the first copy.
   *
   * Windows
   *
   * One mapping ends at 2 GiB, so an arena is mapped in windows, and an allocation lies in one of
   * them. An address names the device, or the opened handle, by a number that is unique in the
   * process. Its offset counts the windows of all arenas of the device: each arena begins at a
   * multiple of a window's length.
   *
   * Closing
   *
   * Closing deletes the file, and so does freeing on demand. The file of an exported allocation stays
   * until no peer's memory is mapped: peers take a free lock as a proof that this process writes
   * there no more. The file's memory returns to
   * the system when every process has unmapped it. The holders of a mapping are counted, since a
   * mapping that a copy still uses must not be unmapped.
   */

  /** The kind of its exported handles. */
  public static final String KIND = "shm";

  static final int MAX_WINDOW_BYTES = 1 << 30;

  private static final Logger LOG = LoggerFactory.getLogger(SharedMemoryDevice.class);
  private static final Map<Path, SharedMemoryDevice> OF_THIS_PROCESS = new ConcurrentHashMap<>();

  private final long number = DeviceAddress.newDevice();
  private final ArenaPlaces places;
  private final int windowBytes;

  /** Of all allocations that get an arena each; 0 if they lie in the arena of the opening. */
  private final long mostOnDemand;

  /** By their first offset; replaced as a whole, so that a look allocates nothing. */
  private volatile List<Span> spans = List.of();

  /** Of exported allocations that were freed while a peer's memory was mapped. */
  private final List<Span> freed = new ArrayList<>();

  /** Those that a peer may know, and whose lock it may take for a sign of life. */
  private final Set<Span> exported = ConcurrentHashMap.newKeySet();

  private final Map<Long, OpenedPeer> opened = new ConcurrentHashMap<>();
  private long nextStart;

  /** Bytes of the allocations that have an arena each, without the rest of their last pages. */
  private long onDemandBytes;

  private volatile boolean closed;

  /** This device until it is closed, and each peer's memory that is mapped. */
  private final AtomicInteger users = new AtomicInteger(1);

  /** An arena, the offset at which it begins, and the allocations in it. */
  private record Span(Arena arena, long start, ExtentAllocator extents) {
    ArenaWindow window(long offset, int windowBytes) {
      return arena.window((offset - start) / windowBytes).hold();
    }

    boolean contains(DeviceAddress address) {
      return address.offset() - start + address.bytes() <= arena.bytes();
    }
  }

  private SharedMemoryDevice(ArenaPlaces places, int windowBytes, long mostOnDemand) {
    this.places = places;
    this.windowBytes = windowBytes;
    this.mostOnDemand = mostOnDemand;
  }

  /**
   * Opens a device whose arena lies in {@code preferredDirectory}. If that directory has no space
   * or gives no permission, logs one warning and uses {@code fallbackDirectory}. Removes arenas of
   * dead owners from both first. Costs one write of the capacity.
   *
   * @param preferredDirectory shared memory, such as a directory in /dev/shm; made if missing
   * @param fallbackDirectory elsewhere; may be the same
   * @param capacityBytes at least 1; rounded up to whole pages
   * @throws IOException naming both directories and reasons, if neither can hold the arena
   */
  public static SharedMemoryDevice open(
      Path preferredDirectory, Path fallbackDirectory, long capacityBytes) throws IOException {
    return open(preferredDirectory, fallbackDirectory, capacityBytes, MAX_WINDOW_BYTES, LOG::warn);
  }

  /**
   * Opens a device that takes memory when it is allocated: an arena for each allocation, which goes
   * when that is freed. The directories are those of the other method; each arena lies in the first
   * one while half of its room stays free, since copies at NODE may lie there, too.
   *
   * @param mostBytes of all allocations together
   */
  public static SharedMemoryDevice onDemand(
      Path preferredDirectory, Path fallbackDirectory, long mostBytes) {
    return onDemand(preferredDirectory, fallbackDirectory, mostBytes, MAX_WINDOW_BYTES, LOG::warn);
  }

  static SharedMemoryDevice onDemand(
      Path preferred, Path fallback, long mostBytes, int windowBytes, Consumer<String> warning) {
    return new SharedMemoryDevice(
        ArenaPlaces.of(preferred, fallback, warning), windowBytes, mostBytes);
  }

  static SharedMemoryDevice open(
      Path preferred, Path fallback, long capacityBytes, int windowBytes, Consumer<String> warning)
      throws IOException {
    if (capacityBytes < 1) {
      throw new IllegalArgumentException("shared memory of " + capacityBytes + " bytes");
    }
    SharedMemoryDevice device =
        new SharedMemoryDevice(ArenaPlaces.of(preferred, fallback, warning), windowBytes, 0);
    device.add(capacityBytes);
    return device;
  }

  /** Adds an arena, whose pages are touched. */
  private synchronized Span add(long bytes) throws IOException {
    requireOpen();
    Arena arena = places.create(bytes, windowBytes, isOnDemand() ? preferredBytes() : -1);
    Span span =
        new Span(
            arena,
            nextStart,
            new ExtentAllocator("shared memory " + arena.path(), arena.bytes(), windowBytes));
    nextStart += (arena.bytes() + windowBytes - 1) / windowBytes * windowBytes;
    List<Span> more = new ArrayList<>(spans);
    more.add(span); // offsets only grow
    spans = List.copyOf(more);
    OF_THIS_PROCESS.put(arena.path(), this);
    return span;
  }

  private long preferredBytes() {
    return spans.stream()
        .map(Span::arena)
        .filter(arena -> places.preferred().holds(arena.path()))
        .mapToLong(Arena::bytes)
        .sum();
  }

  @Override
  public String describe() {
    return isOnDemand() ? "shared memory in " + places.preferred() : "shared memory " + file();
  }

  /** The file of its first arena. */
  public Path file() {
    return spans.get(0).arena().path();
  }

  @Override
  public OptionalLong onDemandBytes() {
    return isOnDemand() ? OptionalLong.of(mostOnDemand) : OptionalLong.empty();
  }

  private boolean isOnDemand() {
    return mostOnDemand > 0;
  }

  @Override
  public DeviceAddress allocate(long bytes) throws IOException {
    requireOpen();
    Span span = isOnDemand() ? addOnDemand(bytes) : spans.get(0);
    return new DeviceAddress(number, span.start() + span.extents().allocate(bytes), bytes);
  }

  private synchronized Span addOnDemand(long bytes) throws IOException {
    long free = mostOnDemand - onDemandBytes;
    if (bytes < 1) {
      throw new IllegalArgumentException(describe() + ": allocation of " + bytes);
    } else if (bytes > Math.min(free, windowBytes)) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "device %s: no room for %d bytes: %d free, the longest allocation %d",
              describe(),
              bytes,
              free,
              windowBytes));
    }
    Span span = add(bytes);
    onDemandBytes += bytes;
    return span;
  }

  @Override
  public void free(DeviceAddress address) {
    requireOpen();
    Span span = own(address);
    span.extents().free(address.offset() - span.start(), address.bytes());
    if (isOnDemand()) {
      remove(span, address.bytes());
    }
  }

  private synchronized void remove(Span gone, long bytes) {
    onDemandBytes -= bytes;
    if (exported.contains(gone)) {
      freed.add(gone);
      closeFreed();
    } else {
      close(List.of(gone));
    }
  }

  /** Closes what was freed, unless a copy may still write to a peer's memory. */
  private synchronized void closeFreed() {
    if (!closed && users.get() == 1) {
      close(List.copyOf(freed));
      freed.clear();
    }
  }

  private void close(List<Span> gone) {
    spans = spans.stream().filter(span -> !gone.contains(span)).toList();
    exported.removeAll(gone);
    gone.forEach(this::close);
  }

  private void close(Span span) {
    OF_THIS_PROCESS.remove(span.arena().path(), this);
    span.arena().close();
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    List<CopyBatch.Run> parts = new ArrayList<>(batch.runs());
    for (int number = 0; number < batch.runs(); number++) {
      HostMemory unused = batch.run(number).source().requireHost(this);
      parts.addAll(ofOneWindowEach(batch.run(number)));
    }
    parts.forEach(part -> window(part.target()).close());
    int[] checksums = new int[batch.chunks()];
    for (CopyBatch.Run part : parts) {
      try (ArenaWindow window = window(part.target())) {
        copy(part, window, checksums);
      }
    }
    return new CompletedCopy(checksums);
  }

  private List<CopyBatch.Run> ofOneWindowEach(CopyBatch.Run run) {
    return run.target().device() == number ? run.dividedAt(windowBytes) : List.of(run);
  }

  private void copy(CopyBatch.Run part, ArenaWindow window, int[] checksums) {
    HostMemory source = part.source().requireHost(this);
    int begin = within(part.target());
    for (int i = 0; i < part.chunks(); i++) {
      checksums[part.first() + i] =
          window.copyAndChecksum(
              source,
              part.sourceOffset() + part.start(i),
              begin + (int) part.start(i),
              Math.toIntExact(part.length(i)));
    }
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    if (target.remaining() != source.bytes()) {
      throw new IllegalArgumentException(
          "copy of " + source.bytes() + " bytes into a buffer of " + target.remaining());
    }
    try (ArenaWindow window = window(source)) {
      window.copyTo(within(source), target);
    }
    return CompletedCopy.TO_HOST;
  }

  /** Bytes of its own arenas only, since a peer may write its own at any time. */
  @Override
  public Optional<MappedBytes> inPlace(DeviceAddress address) {
    ArenaWindow window = window(address);
    if (address.device() != number) {
      window.close();
      return Optional.empty();
    }
    return Optional.of(window.bytes(within(address), Math.toIntExact(address.bytes())));
  }

  @Override
  public ExportedMemory export(DeviceAddress address) {
    requireOpen();
    Span span = own(address);
    exported.add(span);
    return new ArenaHandle(span.arena().path(), address.offset() - span.start(), address.bytes())
        .toExported();
  }

  @Override
  public Opened open(ExportedMemory exported) throws IOException {
    requireOpen();
    ArenaHandle handle = ArenaHandle.of(exported);
    SharedMemoryDevice neighbour = OF_THIS_PROCESS.get(handle.file());
    PeerSpan span = neighbour == null ? map(handle) : neighbour.share(handle);
    DeviceAddress address =
        new DeviceAddress(DeviceAddress.newDevice(), span.start(), handle.bytes());
    OpenedPeer peer = new OpenedPeer(address, span);
    opened.put(address.device(), peer);
    return peer;
  }

  private PeerSpan map(ArenaHandle handle) throws IOException {
    users.incrementAndGet(); // first: the peer may be written as soon as it is mapped
    try {
      return PeerArena.map(handle, ownFile(), this::endUse);
    } catch (IOException | RuntimeException e) {
      endUse();
      throw e;
    }
  }

  /** A file whose owner an arena of a peer must have; that needs an arena of its own. */
  private synchronized Path ownFile() throws IOException {
    if (spans.isEmpty()) {
      add(1);
    }
    return file();
  }

  /**
   * Deletes the arenas and releases their locks; the last copy into a peer's memory does so if it
   * still runs. Idempotent.
   *
   * @throws java.io.UncheckedIOException if a file cannot be deleted; the lock is released all the
   *     same, so that the next process to start removes the file
   */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      opened.values().forEach(OpenedPeer::close);
      endUse();
    }
  }

  private void endUse() {
    if (users.decrementAndGet() > 0) {
      closeFreed();
      return;
    }
    @Nullable UncheckedIOException failed = null;
    for (Span span : spans) {
      try {
        close(span);
      } catch (UncheckedIOException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  private PeerSpan share(ArenaHandle handle) throws IOException {
    for (Span span : spans) {
      if (span.arena().path().equals(handle.file())) {
        handle.requireWithin(span.arena().bytes());
        return new NeighbourSpan(
            span.window(span.start() + handle.offset(), windowBytes),
            (int) (handle.offset() % windowBytes),
            () -> closed || !spans.contains(span));
      }
    }
    throw new IOException(handle + ": its owner has closed it");
  }

  /** The window of an address; the caller holds it and closes it. */
  ArenaWindow window(DeviceAddress address) {
    requireOpen();
    if (address.device() == number) {
      return own(address).window(address.offset(), windowBytes);
    }
    OpenedPeer peer = opened.get(address.device());
    if (peer == null || !peer.contains(address)) {
      throw foreign(address);
    }
    return peer.span.window().hold();
  }

  private int within(DeviceAddress address) {
    return (int) (address.device() == number ? address.offset() % windowBytes : address.offset());
  }

  private Span own(DeviceAddress address) {
    List<Span> all = spans;
    for (int i = all.size() - 1; i >= 0 && address.device() == number; i--) {
      Span span = all.get(i);
      if (span.start() <= address.offset() && span.contains(address)) {
        return span;
      }
    }
    throw foreign(address);
  }

  private IllegalArgumentException foreign(DeviceAddress address) {
    return new IllegalArgumentException(address + " is not an address of " + describe());
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(describe() + " is closed");
    }
  }

  private final class OpenedPeer implements Opened {
    private final DeviceAddress address;
    private final PeerSpan span;

    OpenedPeer(DeviceAddress address, PeerSpan span) {
      this.address = address;
      this.span = span;
    }

    boolean contains(DeviceAddress part) {
      return part.offset() >= address.offset()
          && part.offset() + part.bytes() <= address.offset() + address.bytes();
    }

    @Override
    public DeviceAddress address() {
      return address;
    }

    @Override
    public boolean ownerIsGone() throws IOException {
      return span.ownerIsGone();
    }

    @Override
    public void close() {
      if (opened.remove(address.device(), this)) {
        span.close();
      }
    }
  }
}
