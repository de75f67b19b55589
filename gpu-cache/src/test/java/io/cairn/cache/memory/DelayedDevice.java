package io.cairn.cache.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.cairn.DeviceName;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A device whose copies land later: each at a seeded moment of a virtual time that passes only when
 * {@link #advance} is called or an event is asked for, in whatever order that gives. Until then the
 * target holds poison, and the source is read only when the copy lands, so that whoever writes it
 * too early, or reads the target too early, finds garbage. With a stage it reads host memory at
 * once, as a device does that copies through pinned buffers. Memory that is freed or closed with a
 * copy in flight is a broken rule and throws. It reaches host memory, and memory of a {@link
 * DeviceHeap} if it was given one, whose streams it runs in the same virtual time; a stream waits
 * for the copies of memory that is in its order. Thread-safe.
 */
public final class DelayedDevice implements DeviceMemory {
  /** The content of a target until its copy has landed. */
  public static final byte POISON = (byte) 0xDB;

  private static final int MAX_DELAY = 8;
  private static final String KIND = "delayed";
  private static final Map<String, DelayedDevice> DEVICES = new ConcurrentHashMap<>();

  private final long number = DeviceAddress.newDevice();
  private final String name = UUID.randomUUID().toString();
  private final NativeSpan store;
  private final ExtentAllocator extents;
  private final SplittableRandom random;
  private final List<DelayedCopy> pending = new ArrayList<>();
  private final Map<Long, Peer> opened = new ConcurrentHashMap<>();
  private final DeviceHeap heap;
  private final boolean stages;
  private long now;
  private @Nullable IOException nextFailure;
  private boolean hangsNext;
  private boolean dead;
  private boolean closed;

  private record Peer(DelayedDevice owner, DeviceAddress address) {}

  /**
   * A device in host memory.
   *
   * @param seed decides when copies land
   */
  public DelayedDevice(int capacityBytes, long seed) {
    this(capacityBytes, seed, new DeviceHeap(0));
  }

  /** A device that reaches the heap, too. */
  public DelayedDevice(int capacityBytes, long seed, DeviceHeap heap) {
    this(capacityBytes, seed, heap, false);
  }

  /** A device that reads host memory when a copy is started. */
  public static DelayedDevice withStage(int capacityBytes, long seed) {
    return new DelayedDevice(capacityBytes, seed, new DeviceHeap(0), true);
  }

  private DelayedDevice(int capacityBytes, long seed, DeviceHeap heap, boolean stages) {
    this.heap = heap;
    this.stages = stages;
    store = new NativeSpan(ByteBuffer.allocateDirect(capacityBytes));
    extents = new ExtentAllocator(describe(), capacityBytes, capacityBytes);
    random = new SplittableRandom(seed);
    fill(store.bytes(), 0, capacityBytes);
    DEVICES.put(name, this);
  }

  @Override
  public String describe() {
    return "delayed device " + name;
  }

  /** Lets one unit of virtual time pass; copies that are due land. */
  public synchronized void advance() {
    now++;
    for (DelayedCopy copy : List.copyOf(pending)) {
      if (copy.lands(now)) {
        pending.remove(copy);
      }
    }
  }

  /** Copies that have not landed. */
  public synchronized int pending() {
    return pending.size();
  }

  /** Makes the copy that is started next fail when it lands. */
  public synchronized void failNextCopy(IOException failure) {
    nextFailure = failure;
  }

  /**
   * Makes the copy that is started next hang: whoever waits for it learns that the device does not
   * answer, but it lands after {@link #endHang}.
   */
  public synchronized void hangNextCopy() {
    hangsNext = true;
  }

  /** Lets copies that hang land. The device stays dead. */
  public synchronized void endHang() {
    pending.forEach(copy -> copy.endHang(now));
    advance();
  }

  /** Throws if one of these copies hangs. */
  synchronized void requireAnswer(List<DelayedCopy> copies) throws IOException {
    if (copies.stream().anyMatch(copy -> !copy.hasLanded() && copy.hangs())) {
      throw new IOException(describe() + " does not answer");
    }
  }

  @Override
  public synchronized boolean isDead() {
    return dead;
  }

  @Override
  public synchronized DeviceAddress allocate(long bytes) throws IOException {
    requireOpen();
    return new DeviceAddress(number, extents.allocate(bytes), bytes);
  }

  @Override
  public synchronized void free(DeviceAddress address) {
    requireOwn(address);
    requireIdle(address.offset(), address.bytes());
    extents.free(address.offset(), address.bytes());
    fill(store.bytes(), (int) address.offset(), (int) address.bytes());
  }

  /** Queues work of the application on a stream of the device. */
  public synchronized void launch(long stream, Runnable kernel) {
    long due = heap.enqueue(stream, dueFrom(0));
    pending.add(
        new DelayedCopy(
            0,
            0,
            due,
            null,
            () -> {
              kernel.run();
              return null;
            }));
  }

  /** Records the work that a stream holds now as an event. */
  public synchronized void record(long event, long stream) {
    heap.record(event, stream);
  }

  @Override
  public CaptureSource locate(Region.Span region) {
    CaptureSource source = CaptureSource.of(region);
    source.spans().forEach(span -> heap.view(span, this));
    return source;
  }

  @Override
  public boolean reaches(DeviceName device) {
    return device.equals(DeviceHeap.DEVICE);
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    return GatheredCopy.start(batch, pieces -> copyPieces(pieces, false));
  }

  @Override
  public CopyEvent copyBesideAsync(CopyBatch batch) {
    return GatheredCopy.start(batch, pieces -> copyPieces(pieces, true));
  }

  private CopyEvent copyPieces(CopyBatch batch, boolean beside) {
    Peer peer = opened.get(batch.device());
    if (peer != null) {
      return peer.owner().copyAndChecksumAsync(translated(batch));
    }
    synchronized (this) {
      for (int chunk = 0; chunk < batch.chunks(); chunk++) {
        requireOwn(batch.target(chunk));
        heap.view(batch.source(chunk), this);
      }
      List<DelayedCopy> copies = new ArrayList<>();
      boolean free = true;
      for (int chunk = 0; chunk < batch.chunks(); chunk++) {
        copies.add(start(batch, chunk));
        free &= isFreeAtOnce(batch.source(chunk));
      }
      if (beside && free) {
        return DelayedCopies.freedBy(() -> holdUp(batch, copies), this, copies);
      } else if (!beside) {
        holdUp(batch, copies);
      }
      return new DelayedCopies(this, copies, free);
    }
  }

  /** Streams wait for the copies of memory that is in their order. */
  private void holdUp(CopyBatch batch, List<DelayedCopy> copies) {
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      heap.holdUp(batch.source(chunk), copies.get(chunk).due());
    }
  }

  private boolean isFreeAtOnce(CaptureSource source) {
    return source instanceof DeviceResident resident
        ? resident.region().after() instanceof ReadyAfter.Stream
        : stages;
  }

  private CopyBatch translated(CopyBatch batch) {
    CopyBatch there = new CopyBatch(batch.chunks());
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      DeviceAddress target = Objects.requireNonNull(peer(batch.target(chunk))).address();
      there.add(batch.source(chunk), batch.sourceOffset(chunk), target);
    }
    return there;
  }

  private DelayedCopy start(CopyBatch batch, int chunk) {
    CaptureSource from = batch.source(chunk);
    HostMemory source = heap.view(from, this);
    int offset = (int) batch.target(chunk).offset();
    int length = (int) batch.target(chunk).bytes();
    fill(store.bytes(), offset, length);
    boolean staged = stages && !(from instanceof DeviceResident);
    NativeSpan stage = new NativeSpan(ByteBuffer.allocateDirect(staged ? length : 0));
    if (staged) {
      source.copyTo(batch.sourceOffset(chunk), stage, 0, length);
    }
    return start(
        batch.target(chunk),
        heap.readyAt(from),
        () -> {
          if (staged) {
            store.bytes().put(offset, stage.bytes(), 0, length);
          } else {
            source.copyTo(batch.sourceOffset(chunk), store, offset, length);
          }
          CRC32C crc = new CRC32C();
          crc.update(store.bytes().slice(offset, length));
          return (int) crc.getValue();
        });
  }

  @Override
  public synchronized CopyEvent copyToResidentAsync(
      ByteBuffer source, DeviceResident target, long targetOffset) {
    requireOpen();
    HostMemory to = heap.view(target, this);
    Objects.checkFromIndexSize(targetOffset, source.remaining(), target.bytes());
    ByteBuffer from = source.slice();
    DelayedCopy copy =
        start(
            new DeviceAddress(number, 0, 0),
            heap.readyAt(target),
            () -> {
              to.copyFrom(targetOffset, new NativeSpan(from), 0, from.capacity());
              return null;
            });
    return new DelayedCopies(this, List.of(copy), false);
  }

  @Override
  public synchronized CopyEvent workBefore(List<DeviceResident> sources) {
    requireOpen();
    long due = 0;
    for (DeviceResident source : sources) {
      heap.view(source, this);
      due = Math.max(due, heap.readyAt(source));
    }
    DelayedCopy end = start(new DeviceAddress(number, 0, 0), due, () -> null);
    return new DelayedCopies(this, List.of(end), false);
  }

  /** Begins at once, whatever the application does. */
  @Override
  public synchronized CopyEvent copyFromResidentAsync(
      DeviceResident source, long sourceOffset, ByteBuffer target) {
    requireOpen();
    HostMemory from = heap.view(source, this);
    Objects.checkFromIndexSize(sourceOffset, target.remaining(), source.bytes());
    ByteBuffer into = target.slice();
    DelayedCopy copy =
        start(
            new DeviceAddress(number, 0, 0),
            0,
            () -> {
              from.copyTo(sourceOffset, new NativeSpan(into), 0, into.capacity());
              return null;
            });
    return new DelayedCopies(this, List.of(copy), false);
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    Peer peer = peer(source);
    if (peer != null) {
      return peer.owner().copyToHostAsync(peer.address(), target);
    }
    synchronized (this) {
      requireOwn(source);
      if (target.remaining() != source.bytes()) {
        throw new IllegalArgumentException(
            source.bytes() + " bytes into a buffer of " + target.remaining());
      }
      int offset = (int) source.offset();
      int position = target.position();
      int length = target.remaining();
      fill(target, position, length);
      ByteBuffer into = target.duplicate();
      DelayedCopy copy =
          start(
              source,
              0,
              () -> {
                into.put(position, store.bytes(), offset, length);
                return null;
              });
      return new DelayedCopies(this, List.of(copy), false);
    }
  }

  /** A device with a stage has pinned memory to lend. */
  @Override
  public Optional<MappedBytes> staging(int bytes) {
    return stages ? Optional.of(new Pinned(ByteBuffer.allocateDirect(bytes))) : Optional.empty();
  }

  private record Pinned(ByteBuffer buffer) implements MappedBytes {
    @Override
    public void close() {}
  }

  /** The device compares by itself. */
  @Override
  public synchronized Optional<Boolean> equal(DeviceAddress one, DeviceAddress other) {
    requireOwn(one);
    requireOwn(other);
    return Optional.of(bytes(one).equals(bytes(other)));
  }

  @Override
  public Optional<DeviceBytes> held(DeviceAddress address) {
    return Optional.of(new Held(address));
  }

  /** The device verifies, and restores to its heap, in the order of the heap's work. */
  private final class Held implements DeviceBytes {
    private final DeviceAddress address;

    private Held(DeviceAddress address) {
      this.address = address;
    }

    @Override
    public int checksum() {
      synchronized (DelayedDevice.this) {
        requireOwn(address);
        CRC32C crc = new CRC32C();
        crc.update(bytes(address));
        return (int) crc.getValue();
      }
    }

    @Override
    public void copyTo(DeviceResident target, long offset) throws IOException {
      ByteBuffer source;
      synchronized (DelayedDevice.this) {
        requireOwn(address);
        source = bytes(address);
      }
      copyToResidentAsync(source, target, offset).awaitLanding();
    }

    @Override
    public void close() {}
  }

  private ByteBuffer bytes(DeviceAddress address) {
    return store.bytes().slice((int) address.offset(), (int) address.bytes());
  }

  @Override
  public synchronized ExportedMemory export(DeviceAddress address) {
    requireOwn(address);
    String payload = name + " " + address.offset() + " " + address.bytes();
    return new ExportedMemory(KIND, payload.getBytes(US_ASCII));
  }

  @Override
  public Opened open(ExportedMemory handle) throws IOException {
    if (!handle.kind().equals(KIND)) {
      throw new IOException("handle of kind " + handle.kind() + ", not " + KIND);
    }
    String[] fields = US_ASCII.decode(handle.payload()).toString().split(" ", -1);
    DelayedDevice owner = DEVICES.get(fields[0]);
    if (owner == null) {
      throw new IOException("delayed device " + fields[0] + " was closed");
    }
    long offset = Long.parseLong(fields[1]);
    long bytes = Long.parseLong(fields[2]);
    DeviceAddress here = new DeviceAddress(DeviceAddress.newDevice(), 0, bytes);
    opened.put(here.device(), new Peer(owner, new DeviceAddress(owner.number, offset, bytes)));
    return new OpenedPeer(here, owner);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      requireIdle(0, store.length());
      closed = true;
      DEVICES.remove(name);
    }
  }

  private DelayedCopy start(DeviceAddress used, long notBefore, DelayedCopy.Landing landing) {
    long due = hangsNext ? DelayedCopy.NEVER : dueFrom(notBefore);
    dead |= hangsNext;
    hangsNext = false;
    DelayedCopy copy = new DelayedCopy(used.offset(), used.bytes(), due, nextFailure, landing);
    nextFailure = null;
    pending.add(copy);
    return copy;
  }

  private long dueFrom(long notBefore) {
    return Math.max(notBefore, now + 1 + random.nextInt(MAX_DELAY));
  }

  private @Nullable Peer peer(DeviceAddress address) {
    Peer peer = opened.get(address.device());
    return peer == null
        ? null
        : new Peer(peer.owner(), peer.address().slice(address.offset(), address.bytes()));
  }

  private void requireOwn(DeviceAddress address) {
    requireOpen();
    if (address.device() != number || !extents.isAllocated(address.offset(), address.bytes())) {
      throw new IllegalArgumentException(address + " is not allocated on " + describe());
    }
  }

  private void requireIdle(long offset, long bytes) {
    for (DelayedCopy copy : pending) {
      if (copy.uses(offset, bytes)) {
        throw new IllegalStateException(describe() + ": freed while a copy is in flight");
      }
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(describe() + " is closed");
    }
  }

  private static void fill(ByteBuffer buffer, int offset, int length) {
    for (int i = 0; i < length; i++) {
      buffer.put(offset + i, POISON);
    }
  }

  private final class OpenedPeer implements Opened {
    private final DeviceAddress address;
    private final DelayedDevice owner;

    OpenedPeer(DeviceAddress address, DelayedDevice owner) {
      this.address = address;
      this.owner = owner;
    }

    @Override
    public DeviceAddress address() {
      return address;
    }

    @Override
    public boolean ownerIsGone() {
      return !DEVICES.containsKey(owner.name);
    }

    @Override
    public void close() {
      opened.remove(address.device());
    }
  }
}
