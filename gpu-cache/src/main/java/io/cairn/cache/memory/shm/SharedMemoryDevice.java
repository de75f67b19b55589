package io.cairn.cache.memory.shm;

import io.cairn.cache.memory.CompletedCopy;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.ExtentAllocator;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared memory as a device. Opening reserves, maps and touches a file, the arena; copies complete
 * on the calling thread. It reaches host memory alone. No allocation crosses a multiple of 1 GiB,
 * so none is longer than that. Several devices may exist in one process.
 */
public final class SharedMemoryDevice implements DeviceMemory {
  /*
   * Ownership of the arena
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
   * One mapping ends at 2 GiB, so the arena is mapped in windows, and an allocation lies in one of
   * them. An address names the device, or the opened handle, by a number that is unique in the
   * process.
   *
   * Closing
   *
   * Closing deletes the file at once. Its memory returns to the system when every process has
   * unmapped it. The holders of a mapping are counted, since a mapping that a copy still uses must
   * not be unmapped.
   */

  /** The kind of its exported handles. */
  public static final String KIND = "shm";

  static final int MAX_WINDOW_BYTES = 1 << 30;

  private static final Logger LOG = LoggerFactory.getLogger(SharedMemoryDevice.class);
  private static final Map<Path, SharedMemoryDevice> OF_THIS_PROCESS = new ConcurrentHashMap<>();

  private final long number = DeviceAddress.newDevice();
  private final Arena arena;
  private final int windowBytes;
  private final ExtentAllocator extents;
  private final Map<Long, OpenedPeer> opened = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private SharedMemoryDevice(Arena arena, int windowBytes) {
    this.arena = arena;
    this.windowBytes = windowBytes;
    extents = new ExtentAllocator(describe(), arena.bytes(), windowBytes);
    OF_THIS_PROCESS.put(arena.path(), this);
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

  static SharedMemoryDevice open(
      Path preferred, Path fallback, long capacityBytes, int windowBytes, Consumer<String> warning)
      throws IOException {
    if (capacityBytes < 1) {
      throw new IllegalArgumentException("shared memory of " + capacityBytes + " bytes");
    }
    ArenaDirectory first = new ArenaDirectory(preferred);
    ArenaDirectory second = new ArenaDirectory(fallback);
    first.removeDead();
    second.removeDead();
    try {
      return new SharedMemoryDevice(first.create(capacityBytes, windowBytes), windowBytes);
    } catch (IOException e) {
      String reason =
          String.format(
              Locale.ROOT,
              "no shared memory of %d bytes in %s (%s)",
              capacityBytes,
              preferred,
              reason(e));
      Arena arena = createInstead(second, capacityBytes, windowBytes, reason, e);
      warning.accept(reason + "; using " + arena.path() + ", which may be slower");
      return new SharedMemoryDevice(arena, windowBytes);
    }
  }

  private static Arena createInstead(
      ArenaDirectory fallback, long capacityBytes, int windowBytes, String reason, IOException why)
      throws IOException {
    try {
      return fallback.create(capacityBytes, windowBytes);
    } catch (IOException e) {
      e.addSuppressed(why);
      throw new IOException(reason + ", nor in " + fallback + " (" + reason(e) + ")", e);
    }
  }

  /** File system exceptions often have nothing but a path for a message. */
  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  @Override
  public String describe() {
    return "shared memory " + arena.path();
  }

  /** The arena's file. */
  public Path file() {
    return arena.path();
  }

  @Override
  public DeviceAddress allocate(long bytes) throws IOException {
    requireOpen();
    return new DeviceAddress(number, extents.allocate(bytes), bytes);
  }

  @Override
  public void free(DeviceAddress address) {
    requireOpen();
    requireOwn(address);
    extents.free(address.offset(), address.bytes());
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      batch.source(chunk).requireHost(this);
      window(batch.target(chunk)).close();
    }
    int[] checksums = new int[batch.chunks()];
    for (int chunk = 0; chunk < checksums.length; chunk++) {
      DeviceAddress target = batch.target(chunk);
      try (ArenaWindow window = window(target)) {
        checksums[chunk] =
            window.copyAndChecksum(
                batch.source(chunk).requireHost(this),
                batch.sourceOffset(chunk),
                within(target),
                Math.toIntExact(target.bytes()));
      }
    }
    return new CompletedCopy(checksums);
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

  /** Bytes of its own arena only, since a peer may write its own at any time. */
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
    requireOwn(address);
    return new ArenaHandle(arena.path(), address.offset(), address.bytes()).toExported();
  }

  @Override
  public Opened open(ExportedMemory exported) throws IOException {
    requireOpen();
    ArenaHandle handle = ArenaHandle.of(exported);
    SharedMemoryDevice neighbour = OF_THIS_PROCESS.get(handle.file());
    PeerSpan span =
        neighbour == null ? PeerArena.map(handle, arena.path()) : neighbour.share(handle);
    DeviceAddress address =
        new DeviceAddress(DeviceAddress.newDevice(), span.start(), handle.bytes());
    OpenedPeer peer = new OpenedPeer(address, span);
    opened.put(address.device(), peer);
    return peer;
  }

  /**
   * Deletes the arena and releases its lock.
   *
   * @throws java.io.UncheckedIOException if the file cannot be deleted; the lock is released all
   *     the same, so that the next process to start removes the file
   */
  @Override
  public void close() {
    closed = true;
    opened.values().forEach(OpenedPeer::close);
    OF_THIS_PROCESS.remove(arena.path(), this);
    arena.close();
  }

  private PeerSpan share(ArenaHandle handle) throws IOException {
    handle.requireWithin(arena.bytes());
    return new Neighbour(
        this,
        arena.window(handle.offset() / windowBytes).hold(),
        (int) (handle.offset() % windowBytes));
  }

  /** The window of an address; the caller holds it and closes it. */
  private ArenaWindow window(DeviceAddress address) {
    requireOpen();
    if (address.device() == number) {
      requireOwn(address);
      return arena.window(address.offset() / windowBytes).hold();
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

  private void requireOwn(DeviceAddress address) {
    if (address.device() != number || address.bytes() > arena.bytes() - address.offset()) {
      throw foreign(address);
    }
  }

  private IllegalArgumentException foreign(DeviceAddress address) {
    return new IllegalArgumentException(address + " is not an address of " + describe());
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(describe() + " is closed");
    }
  }

  /** A span of another device of this process. */
  private record Neighbour(SharedMemoryDevice owner, ArenaWindow window, int start)
      implements PeerSpan {
    @Override
    public boolean ownerIsGone() {
      return owner.closed;
    }

    @Override
    public void close() {
      window.close();
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
