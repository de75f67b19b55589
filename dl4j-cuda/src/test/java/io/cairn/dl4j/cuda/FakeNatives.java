package io.cairn.dl4j.cuda;

import io.cairn.cache.memory.cuda.FakeCuda;
import io.cairn.dl4j.cuda.TwoSides.At;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.javacpp.BooleanPointer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.DoublePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.LongPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.cpu.nativecpu.bindings.Nd4jCpu;
import org.nd4j.linalg.jcublas.buffer.BaseCudaDataBuffer;
import org.nd4j.nativeblas.NativeOps;
import org.nd4j.nativeblas.OpaqueConstantDataBuffer;
import org.nd4j.nativeblas.OpaqueConstantShapeBuffer;
import org.nd4j.nativeblas.OpaqueContext;
import org.nd4j.nativeblas.OpaqueDataBuffer;
import org.nd4j.nativeblas.OpaqueLaunchContext;
import org.nd4j.nativeblas.OpaqueShapeList;
import org.nd4j.nativeblas.OpaqueTadPack;

/**
 * The natives of ND4J's backend for CUDA, over those for CPUs and the driver without a GPU. Each
 * operation reads its arrays from the GPU, computes on the CPU in memory that nobody else sees, and
 * sends what changed to the GPU on ND4J's stream, later. So a value on the wrong side, and a copy
 * in the wrong order, is seen.
 *
 * <p>Bytes of the GPU that no operation has changed are read once, until ND4J learns of new ones.
 *
 * <p>Methods that are declared here replace those of the CPU; all others compute. Thread-safe: one
 * call runs at a time.
 */
public final class FakeNatives {
  /** The one that {@link FakeBackend} uses. */
  static final FakeNatives SHARED = new FakeNatives();

  private static final long RING_BYTES = 8 << 20;
  private static final int HOST_TO_DEVICE = 1;
  private static final int DEVICE_TO_HOST = 2;
  private static final int DEVICE_TO_DEVICE = 3;

  private final Nd4jCpu cpu = new Nd4jCpu();

  /** By ND4J's methods; empty for those of the CPU. */
  private final Map<Method, Optional<Method>> own = new HashMap<>();

  private final Map<Long, TwoSides> buffers = new HashMap<>();

  /** Where the CPU's natives compute, by the same buffers; views of one share it. */
  private final Map<TwoSides, Long> scratch = new HashMap<>();

  private final Map<Long, Map<String, OpaqueDataBuffer>> contexts = new HashMap<>();
  private final Map<Long, Pointer> constants = new HashMap<>();
  private final Map<Long, Long> constantsOnDevice = new HashMap<>();
  private final List<String> calls = new ArrayList<>();
  private final List<Gpu> gpus = List.of(new Gpu(0), new Gpu(1));
  private final ThreadLocal<Integer> device = ThreadLocal.withInitial(() -> 0);
  private final ThreadLocal<Map<Integer, Streams>> streams = ThreadLocal.withInitial(HashMap::new);
  private final Pointer workspace = Pointer.calloc(1, 1 << 20);

  /** The two streams of a thread on one GPU, each as the address of its handle. */
  private static final class Streams {
    final LongPointer execution;
    final LongPointer copies;
    final long ring;
    long used;

    Streams(Gpu gpu) {
      execution = new LongPointer(1).put(gpu.stream());
      copies = new LongPointer(1).put(gpu.stream());
      ring = gpu.pinned(RING_BYTES);
    }
  }

  private FakeNatives() {}

  private static Optional<Method> own(Method method) {
    try {
      return Optional.of(FakeNatives.class.getMethod(method.getName(), method.getParameterTypes()));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  // ---- what tests ask for and do

  /** The path of the driver without a GPU. */
  public static String library() {
    return Gpu.LIBRARY;
  }

  /** The path of the library by which the driver runs kernels, for another process. */
  public static String kernels() {
    return FakeCuda.kernels();
  }

  /** The address of an array's first element on its GPU; moves no bytes. */
  public static long onDevice(INDArray array) {
    return SHARED.addressOf(buffer(array));
  }

  private static OpaqueDataBuffer buffer(INDArray array) {
    return ((BaseCudaDataBuffer) array.data()).getOpaqueDataBuffer();
  }

  private synchronized long addressOf(OpaqueDataBuffer buffer) {
    return sides(buffer).onDevice() + offset(buffer);
  }

  /** The elements of an array of floats as its GPU has them, after the work of all streams. */
  public static float[] floatsOnDevice(INDArray array) {
    return SHARED.floats(buffer(array), Math.toIntExact(array.length()));
  }

  private synchronized float[] floats(OpaqueDataBuffer buffer, int count) {
    long bytes = (long) count * Float.BYTES;
    Pointer there = Pointer.malloc(bytes);
    gpus.get(sides(buffer).device()).toHost(there.address(), addressOf(buffer), bytes);
    float[] found = new float[count];
    new FloatPointer(there).get(found);
    there.deallocate();
    return found;
  }

  /** The handles of the calling thread's streams: the one of operations and the one of copies. */
  public static List<Long> handles() {
    Streams of = SHARED.streams();
    return List.of(of.execution.get(), of.copies.get());
  }

  /** Writes a byte over an array later, on one of ND4J's streams, as an operation would. */
  public static void fillLater(INDArray array, int value, long stream) {
    SHARED.fill(buffer(array), value, array.length() * array.data().getElementSize(), stream);
  }

  private synchronized void fill(OpaqueDataBuffer buffer, int value, long bytes, long stream) {
    gpu().fill(addressOf(buffer), value, bytes, stream);
    sides(buffer).writeDevice();
  }

  /** Moves an array to other memory of its GPU, as ND4J does that migrates it. */
  public static void move(INDArray array) {
    SHARED.move(buffer(array));
  }

  private synchronized void move(OpaqueDataBuffer buffer) {
    sides(buffer).move();
  }

  /** From now on each piece of the GPUs' work takes a time that the seed decides. */
  public static void delay(long seed, int mostMicros) {
    Gpu.fakecuda_delays(seed, mostMicros);
  }

  /** Whether no work of the GPUs begins. */
  public static void hold(boolean on) {
    Gpu.fakecuda_hold(on ? 1 : 0);
  }

  /** The pieces of work that have not ended. */
  public static long pending() {
    return Gpu.fakecuda_pending();
  }

  /** The calls since the last question that name a side. */
  public static List<String> calls() {
    return SHARED.since();
  }

  private synchronized List<String> since() {
    List<String> since = List.copyOf(calls);
    calls.clear();
    return since;
  }

  /** These natives as ND4J calls them. */
  NativeOps natives() {
    return (NativeOps)
        Proxy.newProxyInstance(
            FakeNatives.class.getClassLoader(),
            new Class<?>[] {NativeOps.class},
            (proxy, method, arguments) ->
                call(method, arguments == null ? new Object[0] : arguments));
  }

  private synchronized @Nullable Object call(Method method, @Nullable Object[] arguments)
      throws Throwable {
    Optional<Method> mine = own.computeIfAbsent(method, FakeNatives::own);
    try {
      return mine.isPresent() ? mine.get().invoke(this, arguments) : compute(method, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  // ---- operations

  private @Nullable Object compute(Method method, @Nullable Object[] arguments) throws Throwable {
    Set<TwoSides> used = new LinkedHashSet<>();
    for (Object argument : arguments) {
      if (argument instanceof OpaqueDataBuffer buffer) {
        used.add(sides(buffer));
      }
    }
    return compute(method, arguments, used);
  }

  private @Nullable Object compute(
      Method method, @Nullable Object[] arguments, Collection<TwoSides> used) throws Throwable {
    Map<TwoSides, byte[]> before = new LinkedHashMap<>();
    for (TwoSides each : used) {
      if (each.bytes() > 0) {
        each.toDevice();
        each.allocateOnDevice();
        each.readDevice();
        before.put(each, load(each));
      }
    }
    List<Pointer> readable = new ArrayList<>();
    @Nullable Object[] there = arguments.clone();
    for (int i = 0; i < there.length; i++) {
      // the CPU's natives never look at shapes of the GPU
      if (method.getParameterTypes()[i] == Pointer.class
          && there[i] instanceof Pointer pointer
          && onDevice(pointer.address())) {
        there[i] = copyOf(pointer, readable);
      }
    }
    Object result = method.invoke(cpu, there);
    before.forEach(this::store);
    readable.forEach(Pointer::deallocate);
    return result;
  }

  private Gpu gpu() {
    return gpus.get(device.get());
  }

  private Streams streams() {
    return streams.get().computeIfAbsent(device.get(), ordinal -> new Streams(gpus.get(ordinal)));
  }

  private byte[] load(TwoSides sides) {
    long at = scratchOf(sides);
    if (!sides.isKnown()) {
      gpus.get(sides.device()).toHost(at, sides.onDevice(), sides.bytes());
      sides.know();
    }
    byte[] bytes = new byte[Math.toIntExact(sides.bytes())];
    new BytePointer(new At(at)).capacity(bytes.length).get(bytes);
    return bytes;
  }

  private void store(TwoSides sides, byte[] before) {
    byte[] after = new byte[before.length];
    BytePointer memory = new BytePointer(new At(scratchOf(sides)));
    memory.capacity(after.length).get(after);
    if (!Arrays.equals(before, after)) {
      Streams of = streams();
      if (of.used + after.length > RING_BYTES) {
        gpu().await(of.execution.get());
        of.used = 0;
      }
      long staged = of.ring + of.used;
      of.used += after.length;
      new BytePointer(new At(staged)).capacity(after.length).put(after);
      gpu().toDeviceLater(sides.onDevice(), staged, after.length, of.execution.get());
      sides.writeDevice();
      sides.know();
    }
  }

  private long scratchOf(TwoSides sides) {
    Long at = scratch.get(sides);
    if (at == null) {
      throw new IllegalStateException("a buffer that was given back");
    }
    return at;
  }

  private boolean onDevice(long address) {
    return address != 0 && gpus.stream().anyMatch(gpu -> gpu.contains(address));
  }

  /** Arguments that the operation itself reads on the GPU. */
  private Pointer copyOf(Pointer arguments, List<Pointer> readable) {
    long bytes = 4096;
    Pointer copy = Pointer.calloc(1, bytes);
    gpu().toHost(copy.address(), arguments.address(), gpu().left(arguments.address(), bytes));
    readable.add(copy);
    return copy;
  }

  // ---- buffers

  private TwoSides sides(OpaqueDataBuffer buffer) {
    TwoSides found = buffers.get(buffer.address());
    if (found == null) {
      throw new IllegalStateException("no buffer at " + buffer.address());
    }
    return found;
  }

  private OpaqueDataBuffer added(OpaqueDataBuffer buffer, TwoSides sides) {
    buffers.put(buffer.address(), sides);
    Pointer memory = cpu.dbPrimaryBuffer(buffer);
    scratch.put(sides, memory == null ? 0 : memory.address());
    return buffer;
  }

  private TwoSides sides(long elements, int type) {
    return new TwoSides(gpu(), device.get(), elements, DataType.fromInt(type).width());
  }

  public OpaqueDataBuffer allocateDataBuffer(long elements, int type, boolean both) {
    return dbAllocateDataBuffer(elements, type, both);
  }

  public OpaqueDataBuffer dbAllocateDataBuffer(long elements, int type, boolean both) {
    TwoSides sides = sides(elements, type);
    sides.allocateOnDevice();
    if (both) {
      sides.allocateHost();
    }
    sides.writeDevice();
    return added(cpu.allocateDataBuffer(elements, type, true), sides);
  }

  public OpaqueDataBuffer dbCreateExternalDataBuffer(
      long elements, int type, @Nullable Pointer primary, @Nullable Pointer special) {
    TwoSides sides = sides(elements, type);
    if (primary != null) {
      sides.setHost(primary.address());
    }
    if (special != null) {
      sides.setOnDevice(special.address());
    }
    return added(cpu.allocateDataBuffer(elements, type, true), sides);
  }

  public OpaqueDataBuffer dbCreateView(OpaqueDataBuffer buffer, long bytes, long offset) {
    TwoSides sides = sides(buffer);
    sides.share();
    OpaqueDataBuffer view = cpu.dbCreateView(buffer, bytes, offset);
    buffers.put(view.address(), sides);
    return view;
  }

  private long offset(OpaqueDataBuffer buffer) {
    return cpu.dbPrimaryBuffer(buffer).address() - scratchOf(sides(buffer));
  }

  public @Nullable Pointer dbPrimaryBuffer(OpaqueDataBuffer buffer) {
    long host = sides(buffer).host();
    return host == 0 ? null : new At(host + offset(buffer));
  }

  public @Nullable Pointer dbSpecialBuffer(OpaqueDataBuffer buffer) {
    long special = sides(buffer).onDevice();
    return special == 0 ? null : new At(special + offset(buffer));
  }

  public void dbAllocatePrimaryBuffer(OpaqueDataBuffer buffer) {
    sides(buffer).allocateHost();
  }

  public void dbAllocateSpecialBuffer(OpaqueDataBuffer buffer) {
    sides(buffer).allocateOnDevice();
  }

  public void dbSetPrimaryBuffer(OpaqueDataBuffer buffer, Pointer memory, long elements) {
    sides(buffer).setHost(memory.address());
  }

  public void dbSetSpecialBuffer(OpaqueDataBuffer buffer, Pointer memory, long elements) {
    sides(buffer).setOnDevice(memory.address());
  }

  public void dbExpand(OpaqueDataBuffer buffer, long elements) {
    TwoSides sides = sides(buffer);
    cpu.dbExpand(buffer, elements);
    scratch.put(sides, cpu.dbPrimaryBuffer(buffer).address());
    sides.expand(elements);
  }

  public void dbExpandBuffer(OpaqueDataBuffer buffer, long elements) {
    dbExpand(buffer, elements);
  }

  public void dbSyncToSpecial(OpaqueDataBuffer buffer) {
    calls.add("toDevice");
    sides(buffer).toDevice();
  }

  public void dbSyncToPrimary(OpaqueDataBuffer buffer) {
    calls.add("toHost");
    sides(buffer).toHost();
  }

  public void dbTickHostRead(OpaqueDataBuffer buffer) {
    sides(buffer).readHost();
  }

  public void dbTickHostWrite(OpaqueDataBuffer buffer) {
    calls.add("writtenOnHost");
    sides(buffer).writeHost();
  }

  public void dbTickDeviceRead(OpaqueDataBuffer buffer) {
    sides(buffer).readDevice();
  }

  public void dbTickDeviceWrite(OpaqueDataBuffer buffer) {
    calls.add("writtenOnDevice");
    sides(buffer).writeDevice();
  }

  public int dbLocality(OpaqueDataBuffer buffer) {
    TwoSides sides = sides(buffer);
    boolean host = sides.isActualOnHost();
    if (host && sides.isActualOnDevice()) {
      return 0;
    }
    return host ? -1 : 1;
  }

  public int dbDeviceId(OpaqueDataBuffer buffer) {
    return sides(buffer).device();
  }

  public void dbSetDeviceId(OpaqueDataBuffer buffer, int ordinal) {}

  public void deleteDataBuffer(OpaqueDataBuffer buffer) {
    TwoSides sides = buffers.remove(buffer.address());
    if (sides != null && sides.leave()) {
      scratch.remove(sides);
    }
    cpu.deleteDataBuffer(buffer);
  }

  public void dbClose(OpaqueDataBuffer buffer) {
    sides(buffer).close();
  }

  // ---- contexts of operations

  public void setGraphContextInputBuffer(
      OpaqueContext context,
      int index,
      @Nullable OpaqueDataBuffer buffer,
      Pointer shape,
      Pointer specialShape) {
    cpu.setGraphContextInputBuffer(context, index, buffer, shape, specialShape);
    remember(context, "in" + index, buffer);
  }

  public void setGraphContextOutputBuffer(
      OpaqueContext context,
      int index,
      @Nullable OpaqueDataBuffer buffer,
      Pointer shape,
      Pointer specialShape) {
    cpu.setGraphContextOutputBuffer(context, index, buffer, shape, specialShape);
    remember(context, "out" + index, buffer);
  }

  private void remember(OpaqueContext context, String slot, @Nullable OpaqueDataBuffer buffer) {
    Map<String, OpaqueDataBuffer> all =
        contexts.computeIfAbsent(context.address(), address -> new HashMap<>());
    if (buffer == null) {
      all.remove(slot);
    } else {
      all.put(slot, buffer);
    }
  }

  public void ctxPurge(OpaqueContext context) {
    contexts.remove(context.address());
    cpu.ctxPurge(context);
  }

  public void deleteGraphContext(OpaqueContext context) {
    contexts.remove(context.address());
    cpu.deleteGraphContext(context);
  }

  public void setGraphContextCudaContext(
      OpaqueContext context, Pointer stream, Pointer reduction, Pointer allocation) {}

  public int execCustomOp2(@Nullable PointerPointer<?> extras, long hash, Pointer context)
      throws Throwable {
    Method method =
        NativeOps.class.getMethod("execCustomOp2", PointerPointer.class, long.class, Pointer.class);
    Set<TwoSides> used = new LinkedHashSet<>();
    contexts
        .getOrDefault(context.address(), Map.of())
        .values()
        .forEach(buffer -> used.add(sides(buffer)));
    Object status = compute(method, new @Nullable Object[] {extras, hash, context}, used);
    return status instanceof Integer code ? code : -1;
  }

  /** ND4J gives the addresses in host memory, of which some are null, and then the GPU's. */
  public @Nullable OpaqueShapeList calculateOutputShapes2(
      @Nullable PointerPointer<?> extras,
      long hash,
      PointerPointer<?> inputs,
      PointerPointer<?> shapes,
      int count,
      @Nullable DoublePointer reals,
      int realCount,
      @Nullable LongPointer integers,
      int integerCount,
      @Nullable BooleanPointer flags,
      int flagCount,
      @Nullable IntPointer types,
      int typeCount) {
    PointerPointer<Pointer> readable = new PointerPointer<>(Math.max(1, count));
    List<Pointer> copies = new ArrayList<>();
    for (int input = 0; input < count; input++) {
      Pointer there = inputs.get((long) count + input);
      boolean copied = there != null && onDevice(there.address());
      readable.put(input, copied ? copyOf(there, copies) : inputs.get(input));
    }
    OpaqueShapeList found =
        cpu.calculateOutputShapes2(
            extras,
            hash,
            readable,
            shapes,
            count,
            reals,
            realCount,
            integers,
            integerCount,
            flags,
            flagCount,
            types,
            typeCount);
    copies.forEach(Pointer::deallocate);
    return found;
  }

  // ---- devices, streams, and copies

  public int getAvailableDevices() {
    return gpus.size();
  }

  public int getDevice() {
    return device.get();
  }

  public int setDevice(int ordinal) {
    device.set(ordinal);
    return 1;
  }

  public int getDeviceMajor(int ordinal) {
    return 8;
  }

  public int getDeviceMinor(int ordinal) {
    return 0;
  }

  public String getDeviceName(int ordinal) {
    return "Fake GPU " + ordinal;
  }

  public long getDeviceTotalMemory(int ordinal) {
    return 1L << 33;
  }

  public long getDeviceFreeMemory(int ordinal) {
    return 1L << 32;
  }

  public long getDeviceFreeMemoryDefault() {
    return 1L << 32;
  }

  public boolean isP2PAvailable() {
    return false;
  }

  public Pointer lcExecutionStream(OpaqueLaunchContext context) {
    return streams().execution;
  }

  public Pointer lcCopyStream(OpaqueLaunchContext context) {
    return streams().copies;
  }

  public Pointer lcScalarPointer(OpaqueLaunchContext context) {
    return workspace;
  }

  public Pointer lcReductionPointer(OpaqueLaunchContext context) {
    return workspace;
  }

  public Pointer lcAllocationPointer(OpaqueLaunchContext context) {
    return workspace;
  }

  public Pointer lcBlasHandle(OpaqueLaunchContext context) {
    return workspace;
  }

  public Pointer lcSolverHandle(OpaqueLaunchContext context) {
    return workspace;
  }

  private static long handle(Pointer stream) {
    return new LongPointer(stream).get();
  }

  public int streamSynchronize(Pointer stream) {
    gpu().await(handle(stream));
    return 1;
  }

  public Pointer createStream() {
    return new LongPointer(1).put(gpu().stream());
  }

  public Pointer createEvent() {
    return new LongPointer(1);
  }

  public int registerEvent(Pointer event, Pointer stream) {
    return 1;
  }

  public int eventSynchronize(Pointer event) {
    return 1;
  }

  public int destroyEvent(Pointer event) {
    return 1;
  }

  public Pointer mallocDevice(long bytes, int ordinal, int flags) {
    return new At(gpus.get(ordinal).allocate(bytes));
  }

  public int freeDevice(Pointer memory, int ordinal) {
    return 1;
  }

  private void forget(Pointer target, long bytes) {
    if (onDevice(target.address())) {
      scratch.keySet().forEach(sides -> sides.forget(target.address(), bytes));
    }
  }

  public int memcpySync(
      Pointer target, Pointer source, long bytes, int kind, @Nullable Pointer stream) {
    forget(target, bytes);
    switch (kind) {
      case HOST_TO_DEVICE -> gpu().toDevice(target.address(), source.address(), bytes);
      case DEVICE_TO_HOST -> gpu().toHost(target.address(), source.address(), bytes);
      case DEVICE_TO_DEVICE -> {
        gpu().withinDevice(target.address(), source.address(), bytes, 0);
        gpu().await(0);
      }
      default -> Pointer.memcpy(target, source, bytes);
    }
    return 1;
  }

  public int memcpyAsync(
      Pointer target, Pointer source, long bytes, int kind, @Nullable Pointer stream) {
    forget(target, bytes);
    if (kind == DEVICE_TO_DEVICE && stream != null) {
      gpu().withinDevice(target.address(), source.address(), bytes, handle(stream));
      return 1;
    }
    return memcpySync(target, source, bytes, kind, stream);
  }

  public int memsetSync(
      Pointer target, int value, long bytes, int flags, @Nullable Pointer stream) {
    forget(target, bytes);
    if (!onDevice(target.address())) {
      Pointer.memset(target, value, bytes);
      return 1;
    }
    gpu().fill(target.address(), value, bytes, 0);
    gpu().await(0);
    return 1;
  }

  public int memsetAsync(
      Pointer target, int value, long bytes, int flags, @Nullable Pointer stream) {
    forget(target, bytes);
    if (stream == null || !onDevice(target.address())) {
      return memsetSync(target, value, bytes, flags, stream);
    }
    gpu().fill(target.address(), value, bytes, handle(stream));
    return 1;
  }

  public void tryPointer(Pointer extra, Pointer memory, int bytes) {}

  // ---- constants

  public Pointer getConstantShapeBufferSpecial(OpaqueConstantShapeBuffer shape) {
    LongPointer primary = new LongPointer(cpu.getConstantShapeBufferPrimary(shape));
    return constantOnDevice(primary, (2 * primary.get() + 4) * Long.BYTES);
  }

  private Pointer constantOnDevice(Pointer memory, long bytes) {
    return new At(
        constantsOnDevice.computeIfAbsent(
            memory.address(),
            address -> {
              long special = gpu().allocate(bytes);
              gpu().toDevice(special, address, bytes);
              return special;
            }));
  }

  public LongPointer getSpecialShapeInfo(OpaqueTadPack pack) {
    long bytes = (long) cpu.getShapeInfoLength(pack) * Long.BYTES;
    return new LongPointer(constantOnDevice(cpu.getPrimaryShapeInfo(pack), bytes));
  }

  public LongPointer getSpecialOffsets(OpaqueTadPack pack) {
    long bytes = cpu.getNumberOfTads(pack) * Long.BYTES;
    return new LongPointer(constantOnDevice(cpu.getPrimaryOffsets(pack), bytes));
  }

  public OpaqueConstantDataBuffer constantBufferDouble(int type, DoublePointer values, int count) {
    double[] all = new double[count];
    values.get(all);
    return constant(type, all);
  }

  public OpaqueConstantDataBuffer constantBufferLong(int type, LongPointer values, int count) {
    double[] all = new double[count];
    for (int i = 0; i < count; i++) {
      all[i] = values.get(i);
    }
    return constant(type, all);
  }

  private OpaqueConstantDataBuffer constant(int type, double[] values) {
    long bytes = (long) Math.max(1, values.length) * Double.BYTES;
    Pointer memory = Pointer.calloc(1, bytes).limit(bytes);
    for (int i = 0; i < values.length; i++) {
      put(DataType.fromInt(type), memory, i, values[i]);
    }
    OpaqueConstantDataBuffer constant = new OpaqueConstantDataBuffer(Pointer.malloc(Long.BYTES));
    constants.put(constant.address(), memory);
    return constant;
  }

  private static void put(DataType type, Pointer memory, int index, double value) {
    switch (type) {
      case FLOAT -> new FloatPointer(memory).put(index, (float) value);
      case DOUBLE -> new DoublePointer(memory).put(index, value);
      case LONG -> new LongPointer(memory).put(index, (long) value);
      case INT -> new IntPointer(memory).put(index, (int) value);
      default -> throw new UnsupportedOperationException("constants of type " + type);
    }
  }

  public Pointer getConstantDataBufferPrimary(OpaqueConstantDataBuffer constant) {
    return Objects.requireNonNull(constants.get(constant.address()));
  }

  public Pointer getConstantDataBufferSpecial(OpaqueConstantDataBuffer constant) {
    Pointer memory = getConstantDataBufferPrimary(constant);
    return constantOnDevice(memory, memory.limit());
  }
}
