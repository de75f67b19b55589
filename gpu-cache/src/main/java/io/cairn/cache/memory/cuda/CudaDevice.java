package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.ExtentAllocator;
import io.cairn.core.session.DeviceName;
import io.cairn.core.session.ReadyAfter;
import io.cairn.core.session.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of one GPU as a device. It reaches host memory, and the application's memory on that GPU
 * under the name {@code cuda:N}. All of its memory is allocated when it is opened. Several devices
 * may exist in one process.
 *
 * <p>Copies of host memory have read their source when their call returns, and pass to the GPU
 * while the caller goes on. Copies to the host pass to pinned memory while the caller goes on; the
 * thread that asks for their end writes the target. The checksum of memory on the GPU is awaited. A
 * GPU that reports a lasting error, or does not answer in time, is dead for this process: each copy
 * fails with the cause, and nothing waits for it any more.
 */
public final class CudaDevice implements DeviceMemory {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);

  /** CU_STREAM_PER_THREAD. */
  private static final ReadyAfter DEFAULT_STREAM_OF_A_THREAD = new ReadyAfter.Stream(2);

  private final long number = DeviceAddress.newDevice();
  private final CudaContext context;
  private final CudaArena arena;
  private final CudaCopies copies;
  private final OwnerSign sign;
  private final ExtentAllocator extents;
  private final OpenedSpans opened = new OpenedSpans();
  private final CudaImports imports;
  private volatile boolean closed;

  private CudaDevice(CudaContext context, CudaArena arena, CudaCopies copies, OwnerSign sign) {
    this.context = context;
    this.arena = arena;
    this.copies = copies;
    this.sign = sign;
    extents = new ExtentAllocator(describe(), arena.bytes(), arena.bytes());
    imports = new CudaImports(context, sign, opened);
    CudaImports.offer(sign.device(), arena);
  }

  /**
   * Opens a device and allocates its memory.
   *
   * @throws IOException naming the reason and the remedy, if CUDA cannot be used, the GPU has no
   *     such room, or the directory cannot be written
   */
  public static CudaDevice open(CudaOptions options) throws IOException {
    Driver driver = Cuda.driver(options.library());
    CudaContext context = CudaContext.retain(driver, options.ordinal(), options.patience());
    CudaArena arena = null;
    CudaCopies copies = null;
    try {
      arena = CudaArena.allocate(driver, options);
      copies = CudaCopies.open(context, options.pinnedBytes());
      return new CudaDevice(
          context, arena, copies, OwnerSign.open(options.directory(), context, arena));
    } catch (IOException | RuntimeException e) {
      CudaArena allocated = arena;
      CudaCopies opened = copies;
      Teardown.run(context, () -> end(opened, allocated, context));
      throw e;
    }
  }

  private static void end(
      @Nullable CudaCopies copies, @Nullable CudaArena arena, CudaContext context) {
    try (context) {
      if (copies != null) {
        copies.close();
      }
    } catch (CudaException e) {
      LOG.warn("{}: streams and pinned memory stay until this process ends", context, e);
    }
    if (arena != null) {
      arena.endUse();
    }
  }

  @Override
  public String describe() {
    return context.toString();
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
  public CaptureSource locate(Region.Span region) {
    requireOpen();
    CaptureSource source = CaptureSource.of(region);
    requireReach(source);
    if (source instanceof DeviceResident resident && resident.bytes() > 0) {
      requireOnDevice(resident);
    }
    return source;
  }

  private void requireReach(CaptureSource source) {
    if (source instanceof DeviceResident resident) {
      if (!resident.region().device().equals(new DeviceName(CudaHandle.KIND, context.ordinal()))) {
        throw resident.unreachableBy(this);
      } else if (resident.region().after().equals(DEFAULT_STREAM_OF_A_THREAD)) {
        throw new IllegalArgumentException(
            resident
                + " names the default stream of each thread, which is another one for Cairn's"
                + " threads; name a stream of cuStreamCreate, or an event");
      }
    }
  }

  private void requireOnDevice(DeviceResident memory) {
    long first = memory.region().address();
    try (CurrentContext calls = context.enter()) {
      if (calls.isOnDevice(first) && calls.isOnDevice(first + memory.bytes() - 1)) {
        return;
      }
    } catch (CudaException e) {
      throw new IllegalArgumentException(memory + " cannot be captured: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException(
        memory
            + " is not memory of "
            + describe()
            + "; name the address that the GPU's own"
            + " library gives, and protect it before it is freed");
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    try (DeviceCall call = begin()) {
      long[] targets = new long[batch.chunks()];
      for (int chunk = 0; chunk < targets.length; chunk++) {
        requireReach(batch.source(chunk));
        targets[chunk] = resolve(batch.target(chunk), call);
      }
      return call.until(copies.toDevice(batch, targets));
    }
  }

  @Override
  public CopyEvent copyToResidentAsync(
      ByteBuffer source, DeviceResident target, long targetOffset) {
    try (DeviceCall call = begin()) {
      requireReach(target);
      Objects.checkFromIndexSize(targetOffset, source.remaining(), target.bytes());
      return call.until(copies.toResident(source, target, targetOffset));
    }
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    if (target.remaining() != source.bytes()) {
      throw new IllegalArgumentException(
          "copy of " + source.bytes() + " bytes into a buffer of " + target.remaining());
    }
    try (DeviceCall call = begin()) {
      return call.until(copies.toHost(resolve(source, call), target));
    }
  }

  /** The GPU compares; the host learns the answer alone. */
  @Override
  public Optional<Boolean> equal(DeviceAddress one, DeviceAddress other) throws IOException {
    if (one.bytes() != other.bytes()) {
      throw new IllegalArgumentException(one + " and " + other + " have different lengths");
    }
    try (DeviceCall call = begin()) {
      return Optional.of(copies.equal(resolve(one, call), resolve(other, call), one.bytes()));
    }
  }

  @Override
  public Optional<DeviceBytes> held(DeviceAddress address) {
    requireOpen();
    return Optional.of(new CudaBytes(this, address));
  }

  /** As {@link DeviceBytes#checksum}. */
  int checksum(DeviceAddress address) throws IOException {
    try (DeviceCall call = begin()) {
      return copies.checksum(resolve(address, call), address.bytes());
    }
  }

  /** As {@link DeviceBytes#copyTo}. */
  void restore(DeviceAddress address, DeviceResident target, long offset) throws IOException {
    try (DeviceCall call = begin()) {
      requireReach(target);
      Objects.checkFromIndexSize(offset, address.bytes(), target.bytes());
      copies.restore(resolve(address, call), target, offset, address.bytes());
    }
  }

  @Override
  public ExportedMemory export(DeviceAddress address) {
    requireOpen();
    requireOwn(address);
    return sign.handle(address.offset(), address.bytes()).toExported();
  }

  @Override
  public Opened open(ExportedMemory exported) throws IOException {
    CudaHandle handle = CudaHandle.of(exported);
    DeviceCall call = begin();
    try {
      return imports.open(handle);
    } finally {
      call.close();
    }
  }

  /**
   * Waits for copies that nobody awaited, and frees everything, as long as the GPU answers. A
   * thread of its own goes on after the device's patience. Memory that other processes have open is
   * freed behind the caller, once they have closed it or are dead. Nothing is freed while a call
   * runs, nor in a hook of the process's exit: the driver frees it when the process ends.
   */
  @Override
  public void close() {
    if (CudaImports.withdraw(sign.device(), arena)) {
      closed = true;
      Teardown.run(context, this::end);
    }
  }

  private void end() {
    try {
      if (context.running().endAll(context.patience())) {
        awaitCopies(); // before peers' memory is given back, and before they see the end
        opened.close();
        sign.close();
        end(copies, arena, context);
        return;
      }
      LOG.warn("{}: a call still runs; all memory stays until this process ends", context);
    } catch (CudaException | InterruptedException e) {
      LOG.warn("{}: copies may be under way; all memory stays until this process ends", context, e);
    }
    arena.keepToTheEnd();
    arena.endUse();
    context.abandon();
  }

  private void awaitCopies() throws CudaException {
    try {
      copies.awaitAll();
    } catch (CudaException e) {
      if (!context.isDead()) {
        throw e;
      }
    }
  }

  private DeviceCall begin() {
    requireOpen();
    if (!context.running().begin()) {
      throw closed();
    }
    return new DeviceCall(context.running(), opened);
  }

  private long resolve(DeviceAddress address, DeviceCall call) {
    if (address.device() == number) {
      requireOwn(address);
      return arena.address() + address.offset();
    }
    long there = call.resolve(address);
    if (there == 0) {
      throw foreign(address);
    }
    return there;
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
      throw closed();
    }
  }

  private IllegalStateException closed() {
    return new IllegalStateException(describe() + " is closed");
  }
}
