package io.cairn.lab.study.throttle;

import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Device memory whose copies over links take as long as the links say. Each copy is booked when it
 * is started, made by the thread of its link, in order, and done when its bytes are through; links
 * work at once. A copy over no link is as fast as the memory below.
 */
public final class ThrottledMemory implements DeviceMemory {
  private static final String KIND = "throttled";
  private static final int[] NOT_SLOWED = {};

  private final DeviceMemory below;
  private final int device;
  private final ThrottledLinks links;
  private final int[] ownWay;
  private final int[] ownWayBack;
  private final Map<Long, Peer> opened = new ConcurrentHashMap<>();
  private final NavigableMap<Long, DeviceAddress> allocated = new ConcurrentSkipListMap<>();
  private final Map<String, ExecutorService> threads = new ConcurrentHashMap<>();
  private volatile long ownNumber;
  private volatile boolean closed;

  private ThrottledMemory(
      DeviceMemory below, int device, ThrottledLinks links, int[] ownWay, int[] ownWayBack) {
    this.below = below;
    this.device = device;
    this.links = links;
    this.ownWay = ownWay;
    this.ownWayBack = ownWayBack;
  }

  /**
   * A device: its own memory is not slowed, opened memory of others is by the links between.
   *
   * @param below closed with this
   * @param device its number in the table
   */
  public static ThrottledMemory device(DeviceMemory below, int device, ThrottledLinks links) {
    return new ThrottledMemory(below, device, links, NOT_SLOWED, NOT_SLOWED);
  }

  /**
   * Host memory as a device writes it, slowed by the device's way to the host. Reading it is not:
   * what reads it is on the host.
   *
   * @param below closed with this
   * @param device whose way it is
   * @throws IllegalArgumentException if the device has no way to the host
   */
  public static ThrottledMemory host(DeviceMemory below, int device, ThrottledLinks links) {
    int[] way = links.table().way(device, LinkTable.HOST);
    return new ThrottledMemory(below, device, links, way, NOT_SLOWED);
  }

  /** Host memory that the device reads over the same way, too. */
  public static ThrottledMemory hostBothWays(DeviceMemory below, int device, ThrottledLinks links) {
    int[] way = links.table().way(device, LinkTable.HOST);
    return new ThrottledMemory(below, device, links, way, way);
  }

  @Override
  public String describe() {
    return below.describe();
  }

  @Override
  public DeviceAddress allocate(long bytes) throws IOException {
    DeviceAddress address = below.allocate(bytes);
    ownNumber = address.device();
    allocated.put(address.offset(), address);
    return address;
  }

  @Override
  public void free(DeviceAddress address) {
    below.free(address);
    allocated.remove(address.offset());
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      batch.source(chunk).requireHost(this);
    }
    Peer peer = opened.get(batch.device());
    Supplier<CopyEvent> copy = () -> below.copyAndChecksumAsync(batch);
    if (peer != null) {
      peer.requireWithin(batch);
      return start("to " + peer.device, peer.there, batch.bytes(), copy);
    }
    // the memory below refuses addresses that are not its own, and all copies after its end
    if (closed || batch.device() != ownNumber) {
      return copy.get();
    }
    requireAllocated(batch);
    return start("to the host", ownWay, batch.bytes(), copy);
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    Peer peer = opened.get(source.device());
    if (peer == null) {
      return closed || source.device() != ownNumber
          ? below.copyToHostAsync(source, target)
          : slowedBack(source, target);
    }
    peer.requireWithin(source);
    if (target.remaining() != source.bytes()) {
      throw new IllegalArgumentException(
          "copy of " + source.bytes() + " bytes into a buffer of " + target.remaining());
    }
    ByteBuffer into = target.duplicate();
    return start(
        "from " + peer.device,
        peer.back,
        source.bytes(),
        () -> below.copyToHostAsync(source, into));
  }

  private CopyEvent slowedBack(DeviceAddress source, ByteBuffer target) {
    ByteBuffer into = target.duplicate();
    return start(
        "from the host", ownWayBack, source.bytes(), () -> below.copyToHostAsync(source, into));
  }

  /** A slowed copy is made later, so its addresses are checked here. */
  private void requireAllocated(CopyBatch batch) {
    for (int chunk = 0; chunk < batch.chunks(); chunk++) {
      DeviceAddress target = batch.target(chunk);
      Map.Entry<Long, DeviceAddress> span = allocated.floorEntry(target.offset());
      if (span == null || !contains(span.getValue(), target)) {
        throw new IllegalArgumentException(target + " is not allocated on " + describe());
      }
    }
  }

  private static boolean contains(DeviceAddress all, DeviceAddress part) {
    return part.offset() >= all.offset()
        && part.offset() + part.bytes() <= all.offset() + all.bytes();
  }

  private CopyEvent start(String link, int[] way, long bytes, Supplier<CopyEvent> copy) {
    if (way.length == 0) {
      return copy.get();
    }
    LinkCopy started = new LinkCopy(copy, links.book(way, bytes));
    threads.computeIfAbsent(link, this::newThread).execute(started);
    return started;
  }

  private ExecutorService newThread(String link) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, "link of " + device + " " + link);
          thread.setDaemon(true);
          return thread;
        });
  }

  @Override
  public ExportedMemory export(DeviceAddress address) {
    byte[] handle = below.export(address).encode();
    ByteBuffer payload = ByteBuffer.allocate(Integer.BYTES + handle.length);
    return new ExportedMemory(KIND, payload.putInt(device).put(handle).array());
  }

  @Override
  public Opened open(ExportedMemory handle) throws IOException {
    ByteBuffer payload = handle.payload();
    if (!handle.kind().equals(KIND) || payload.remaining() < Integer.BYTES) {
      throw new IOException("handle " + handle + " is not one of throttled memory");
    }
    int number = payload.getInt();
    if (number < 0 || number >= links.table().devices() || !links.table().hasWay(device, number)) {
      throw new IOException(
          "handle " + handle + ": no way from device " + device + " to " + number);
    }
    byte[] inner = new byte[payload.remaining()];
    payload.get(inner);
    LinkTable table = links.table();
    int[] back = table.hasWay(number, device) ? table.way(number, device) : NOT_SLOWED;
    Opened span = below.open(ExportedMemory.decode(inner));
    Peer peer = new Peer(number, span, table.way(device, number), back);
    opened.put(span.address().device(), peer);
    return peer;
  }

  @Override
  public void close() {
    closed = true;
    below.close();
    opened.clear();
    threads.values().forEach(ExecutorService::shutdown);
  }

  /** Opened memory of another device, and the ways there and back. */
  private final class Peer implements Opened {
    private final int device;
    private final Opened span;
    private final int[] there;
    private final int[] back;

    Peer(int device, Opened span, int[] there, int[] back) {
      this.device = device;
      this.span = span;
      this.there = there;
      this.back = back;
    }

    void requireWithin(CopyBatch batch) {
      for (int chunk = 0; chunk < batch.chunks(); chunk++) {
        requireWithin(batch.target(chunk));
      }
    }

    void requireWithin(DeviceAddress part) {
      if (!contains(span.address(), part)) {
        throw new IllegalArgumentException(part + " is not an address of " + describe());
      }
    }

    @Override
    public DeviceAddress address() {
      return span.address();
    }

    @Override
    public boolean ownerIsGone() throws IOException {
      return span.ownerIsGone();
    }

    @Override
    public void close() {
      opened.remove(address().device());
      span.close();
    }
  }
}
