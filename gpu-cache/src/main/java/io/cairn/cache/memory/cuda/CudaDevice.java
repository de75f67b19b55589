package io.cairn.cache.memory.cuda;

import io.cairn.DeviceName;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.GatheredCopy;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory of one GPU as a device. It reaches host memory, and the application's memory on that GPU
 * under the name {@code cuda:N}. All of its memory is allocated when it is opened, in equal slabs,
 * or each allocation is a slab. One that is given up goes back to the GPU. Several devices may
 * exist in one process.
 *
 * <p>Copies of host memory have read their source when their call returns, and pass to the GPU
 * while the caller goes on. Copies to pinned memory of the host, such as {@link #staging}, go there
 * while the caller goes on. Those to other memory of the host pass through pinned buffers; the
 * thread that asks for their end writes the target. The checksum of memory on the GPU is awaited. A
 * GPU that reports a lasting error, or does not answer in time, is dead for this process: each copy
 * fails with the cause, and nothing waits for it any more.
 */
public final class CudaDevice implements DeviceMemory {
  private static final Logger LOG = LoggerFactory.getLogger(CudaDevice.class);

  /** CU_STREAM_PER_THREAD. */
  private static final ReadyAfter DEFAULT_STREAM_OF_A_THREAD = new ReadyAfter.Stream(2);

  private final CudaContext context;
  private final Slabs slabs;
  private final CudaOptions options;
  private final CudaCopies copies;
  private final OwnerSign sign;
  private final OpenedSpans opened = new OpenedSpans();
  private final CudaImports imports;
  private final StagingBuffers staging;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Whether the GPU freed memory in time so far; nobody waits for it again after that. */
  private volatile boolean freesInTime = true;

  private CudaDevice(
      CudaContext context,
      CudaOptions options,
      Slabs slabs,
      CudaCopies copies,
      OwnerSign sign,
      StagingBuffers staging) {
    this.context = context;
    this.slabs = slabs;
    this.options = options;
    this.copies = copies;
    this.sign = sign;
    this.staging = staging;
    imports = new CudaImports(context, sign, opened);
  }

  /**
   * Opens a device and allocates the memory of its capacity.
   *
   * @throws IOException naming the reason and the remedy, if CUDA cannot be used, the GPU has no
   *     such room, or the directory cannot be written
   */
  public static CudaDevice open(CudaOptions options) throws IOException {
    Driver driver = Cuda.driver(options.library());
    CudaContext context = CudaContext.retain(driver, options.ordinal(), options.patience());
    CudaCopies copies = null;
    OwnerSign sign = null;
    try {
      copies = CudaCopies.open(context, options.pinnedBytes());
      sign = OwnerSign.open(options.directory(), context, options.slabs());
      Slabs slabs = Slabs.allocate(driver, context, options, sign);
      StagingBuffers staging = new StagingBuffers(driver, options, context);
      return new CudaDevice(context, options, slabs, copies, sign, staging);
    } catch (IOException | RuntimeException e) {
      if (sign != null) {
        sign.close();
      }
      CudaCopies opened = copies;
      Teardown.run(context, () -> end(opened, context));
      throw e;
    }
  }

  private static void end(@Nullable CudaCopies copies, CudaContext context) {
    try (context) {
      if (copies != null) {
        copies.close();
      }
    } catch (CudaException e) {
      LOG.warn("{}: streams and pinned memory stay until this process ends", context, e);
    }
  }

  @Override
  public String describe() {
    return context.toString();
  }

  @Override
  public DeviceAddress allocate(long bytes) throws IOException {
    requireOpen();
    return slabs.allocate(bytes);
  }

  @Override
  public void free(DeviceAddress address) {
    requireOpen();
    if (!slabs.isOnDemand()) {
      slabs.free(address);
      return;
    }
    Slab freed = slabs.end(address);
    if (freesInTime) {
      freesInTime = // the next allocation finds its memory
          Teardown.ends(context, freed::endUse) || Thread.currentThread().isInterrupted();
    } else {
      Teardown.later(
          context,
          () -> {
            freed.endUse();
            freesInTime = true;
          });
    }
  }

  /** The length of the longest slab. */
  @Override
  public long largestAllocation() {
    return options.slabBytes();
  }

  /** All of the GPU's memory, free or not. */
  @Override
  public OptionalLong onDemandBytes() throws IOException {
    if (!options.isOnDemand()) {
      return OptionalLong.empty();
    }
    requireOpen();
    try (CurrentContext calls = context.enter()) {
      return OptionalLong.of(calls.totalBytes());
    }
  }

  /** Half of what is free beyond the reserve, on demand. */
  @Override
  public OptionalLong bytesToShare() throws IOException {
    if (!options.isOnDemand()) {
      return OptionalLong.empty();
    }
    requireOpen();
    try (CurrentContext calls = context.enter()) {
      return OptionalLong.of(Math.max(0, (calls.freeBytes() - options.reserveBytes()) / 2));
    }
  }

  @Override
  public OptionalLong bytesForOthers() throws IOException {
    requireOpen();
    try (CurrentContext calls = context.enter()) {
      return OptionalLong.of(calls.freeBytes() + slabs.leavingBytes());
    }
  }

  /**
   * An allocation of a whole slab goes back to the GPU, after the processes that have it open; to
   * free it makes all work of the GPU wait. Any other one is freed for this device alone.
   */
  @Override
  public void giveUp(DeviceAddress address) {
    requireOpen();
    Slab given = slabs.giveUp(address);
    if (given != null) {
      Teardown.later(context, given::endUse);
    }
  }

  @Override
  public CaptureSource locate(Region.Span region) {
    requireOpen();
    CaptureSource source = CaptureSource.of(region);
    for (CaptureSource span : source.spans()) {
      requireReach(span);
      if (span instanceof DeviceResident resident && resident.bytes() > 0) {
        requireOnDevice(resident);
      }
    }
    return source;
  }

  @Override
  public boolean reaches(DeviceName device) {
    return device.equals(new DeviceName(CudaHandle.KIND, context.ordinal()));
  }

  @Override
  public boolean isDead() {
    return context.isDead();
  }

  private void requireReach(CaptureSource source) {
    if (source instanceof DeviceResident resident) {
      if (!reaches(resident.region().device())) {
        throw resident.unreachableBy(this);
      } else if (NamedWork.parts(resident.region().after()).contains(DEFAULT_STREAM_OF_A_THREAD)) {
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
    return GatheredCopy.start(batch, pieces -> copyPieces(pieces, false));
  }

  @Override
  public CopyEvent copyBesideAsync(CopyBatch batch) {
    return GatheredCopy.start(batch, pieces -> copyPieces(pieces, true));
  }

  private CopyEvent copyPieces(CopyBatch batch, boolean beside) {
    try (DeviceCall call = begin()) {
      List<PlacedRun> runs = new ArrayList<>(batch.runs());
      @Nullable CaptureSource reached = null;
      for (int number = 0; number < batch.runs(); number++) {
        CopyBatch.Run run = batch.run(number);
        if (run.source() != reached) { // neighbouring runs mostly share it
          requireReach(run.source());
          reached = run.source();
        }
        for (CopyBatch.Run part : ofOneSlabEach(run)) {
          runs.add(new PlacedRun(part, resolve(part.target(), call)));
        }
      }
      return call.until(copies.toDevice(runs, batch.chunks(), beside));
    }
  }

  /** The driver's addresses of two slabs do not follow each other. */
  private List<CopyBatch.Run> ofOneSlabEach(CopyBatch.Run run) {
    return slabs.isOwn(run.target()) ? run.dividedAt(options.slabBytes()) : List.of(run);
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
  public CopyEvent workBefore(List<DeviceResident> sources) {
    try (DeviceCall call = begin()) {
      sources.forEach(this::requireReach);
      return call.until(copies.workBefore(sources));
    }
  }

  @Override
  public CopyEvent copyFromResidentAsync(
      DeviceResident source, long sourceOffset, ByteBuffer target) {
    try (DeviceCall call = begin()) {
      requireReach(source);
      Objects.checkFromIndexSize(sourceOffset, target.remaining(), source.bytes());
      return call.until(copies.toHost(source.region().address() + sourceOffset, target));
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

  @Override
  public Optional<MappedBytes> staging(int bytes) {
    requireOpen();
    return staging.lend(bytes);
  }

  /**
   * The GPU compares; the host learns the answer alone. Memory that was given up cannot be
   * compared, and is not freed meanwhile.
   */
  @Override
  public Optional<Boolean> equal(DeviceAddress one, DeviceAddress other) throws IOException {
    if (one.bytes() != other.bytes()) {
      throw new IllegalArgumentException(one + " and " + other + " have different lengths");
    }
    try (DeviceCall call = begin();
        Slabs.Use first = use(one, call);
        Slabs.Use second = use(other, call)) {
      return first.isOpen() && second.isOpen()
          ? Optional.of(copies.equal(first.address(), second.address(), one.bytes()))
          : Optional.empty();
    }
  }

  private Slabs.Use use(DeviceAddress address, DeviceCall call) {
    return slabs.isOwn(address) ? slabs.use(address) : Slabs.Use.ofPeer(resolve(address, call));
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
    return slabs.handle(address).toExported();
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
    if (closed.compareAndSet(false, true)) {
      Teardown.run(context, this::end);
    }
  }

  private void end() {
    try {
      if (context.running().endAll(context.patience())) {
        awaitCopies(); // before peers' memory is given back, and before they see the end
        opened.close();
        slabs.end();
        sign.close();
        end(copies, context);
        slabs.endUse();
        staging.end();
        return;
      }
      LOG.warn("{}: a call still runs; all memory stays until this process ends", context);
    } catch (CudaException | InterruptedException e) {
      LOG.warn("{}: copies may be under way; all memory stays until this process ends", context, e);
    }
    slabs.keepToTheEnd();
    staging.keepToTheEnd();
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
    if (slabs.isOwn(address)) {
      return slabs.resolve(address);
    }
    long there = call.resolve(address);
    if (there == 0) {
      throw foreign(address);
    }
    return there;
  }

  private IllegalArgumentException foreign(DeviceAddress address) {
    return new IllegalArgumentException(address + " is not an address of " + describe());
  }

  private void requireOpen() {
    if (closed.get()) {
      throw closed();
    }
  }

  private IllegalStateException closed() {
    return new IllegalStateException(describe() + " is closed");
  }
}
