package io.cairn.cache.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A device whose copies land later: each at a seeded moment of a virtual time that passes only when
 * {@link #advance} is called or an event is asked for, in whatever order that gives. Until then the
 * target holds poison, and the source is read only when the copy lands, so that whoever writes it
 * too early, or reads the target too early, finds garbage. Memory that is freed or closed with a
 * copy in flight is a broken rule and throws. Thread-safe.
 */
public final class DelayedDevice implements DeviceMemory {
  /** What a target holds until its copy has landed. */
  public static final byte POISON = (byte) 0xDB;

  private static final int MAX_DELAY = 8;
  private static final String KIND = "delayed";
  private static final Map<String, DelayedDevice> DEVICES = new ConcurrentHashMap<>();

  private final long number = DeviceAddress.newDevice();
  private final String name = UUID.randomUUID().toString();
  private final NativeSpan store;
  private final ExtentAllocator extents;
  private final SplittableRandom random;
  private final List<Copy> pending = new ArrayList<>();
  private final Map<Long, Peer> opened = new ConcurrentHashMap<>();
  private long now;
  private @Nullable IOException nextFailure;
  private boolean closed;

  private record Peer(DelayedDevice owner, DeviceAddress address) {}

  /**
   * A device in host memory.
   *
   * @param seed decides when copies land
   */
  public DelayedDevice(int capacityBytes, long seed) {
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
    for (Copy copy : List.copyOf(pending)) {
      if (copy.due <= now) {
        pending.remove(copy);
        copy.land();
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

  @Override
  public CopyEvent copyAndChecksumAsync(
      HostMemory source, long sourceOffset, DeviceAddress target) {
    Peer peer = peer(target);
    if (peer != null) {
      return peer.owner().copyAndChecksumAsync(source, sourceOffset, peer.address());
    }
    synchronized (this) {
      requireOwn(target);
      int offset = (int) target.offset();
      int length = (int) target.bytes();
      fill(store.bytes(), offset, length);
      Copy copy = new Copy(offset, length);
      copy.landing =
          () -> {
            source.copyTo(sourceOffset, store, offset, length);
            CRC32C crc = new CRC32C();
            crc.update(store.bytes().slice(offset, length));
            copy.checksum = (int) crc.getValue();
          };
      return start(copy);
    }
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
      Copy copy = new Copy(offset, length);
      copy.landing = () -> into.put(position, store.bytes(), offset, length);
      return start(copy);
    }
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

  private CopyEvent start(Copy copy) {
    copy.failure = nextFailure;
    nextFailure = null;
    copy.due = now + 1 + random.nextInt(MAX_DELAY);
    pending.add(copy);
    return copy;
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
    for (Copy copy : pending) {
      if (copy.offset < offset + bytes && offset < copy.offset + copy.length) {
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

  private final class Copy implements CopyEvent {
    private final long offset;
    private final long length;
    private Runnable landing = () -> {};
    private long due;
    private boolean landed;
    private @Nullable Integer checksum;
    private @Nullable IOException failure;

    Copy(long offset, long length) {
      this.offset = offset;
      this.length = length;
    }

    void land() {
      landed = true;
      if (failure == null) {
        landing.run();
      }
    }

    @Override
    public boolean isDone() {
      synchronized (DelayedDevice.this) {
        advance();
        return landed;
      }
    }

    @Override
    public void await() throws IOException, InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      while (!isDone()) {
        Thread.onSpinWait();
      }
      if (failure != null) {
        throw new IOException(describe() + ": " + failure.getMessage(), failure);
      }
    }

    @Override
    public int checksum() {
      synchronized (DelayedDevice.this) {
        if (!landed || failure != null || checksum == null) {
          throw new IllegalStateException("no checksum: not done, failed, or a copy to the host");
        }
        return checksum;
      }
    }
  }
}
