package io.cairn.cache.memory.cuda;

import io.cairn.ReadyAfter;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.HostMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one device, on streams of their own. Addresses are the driver's. A copy that cannot
 * be started is an event that failed. Thread-safe.
 */
final class CudaCopies {
  private static final int[] NO_CHECKSUMS = {};

  private final CudaContext context;
  private final EventPool events = new EventPool();
  private final NamedWork named = new NamedWork();
  private final HostTransfers transfers;
  private final PinnedArrivals arrivals;
  private final ChunkTables tables = new ChunkTables();
  private final CudaStreams streams;
  private final CudaKernels kernels;

  /** Held from the naming of the application's work to the event after what waits for it. */
  private final Object ordering = new Object();

  private CudaCopies(
      CudaContext context,
      HostTransfers transfers,
      PinnedArrivals arrivals,
      CudaStreams streams,
      CudaKernels kernels) {
    this.context = context;
    this.transfers = transfers;
    this.arrivals = arrivals;
    this.streams = streams;
    this.kernels = kernels;
  }

  /** Makes streams and pinned buffers, and loads the kernels. */
  static CudaCopies open(CudaContext context, int bufferBytes) throws CudaException {
    HostTransfers transfers = HostTransfers.allocate(context, bufferBytes);
    PinnedArrivals arrivals = null;
    CudaStreams streams = null;
    try {
      arrivals = PinnedArrivals.allocate(context, bufferBytes);
      streams = CudaStreams.create(context);
      return new CudaCopies(context, transfers, arrivals, streams, CudaKernels.load(context));
    } catch (CudaException e) {
      if (streams != null) {
        try (CurrentContext calls = context.enter()) {
          streams.destroy(calls);
        }
      }
      if (arrivals != null) {
        arrivals.free();
      }
      transfers.free();
      throw e;
    }
  }

  /**
   * Starts the copies of a batch.
   *
   * @param runs all of its chunks
   * @param beside whether the application's work waits only when {@link CopyEvent#freeSources} says
   *     so
   */
  CopyEvent toDevice(List<PlacedRun> runs, int chunks, boolean beside) {
    boolean dead = context.isDead();
    try {
      return started(runs, new int[chunks], beside);
    } catch (CudaException e) {
      return failed(e, dead);
    } catch (RuntimeException e) {
      settle(e);
      throw e;
    }
  }

  private CopyEvent started(List<PlacedRun> runs, int[] checksums, boolean beside)
      throws CudaException {
    CRC32C crc = new CRC32C();
    List<PlacedRun> onDevice = new ArrayList<>();
    for (PlacedRun placed : runs) {
      if (placed.run().source() instanceof HostMemory host) {
        send(host, placed, checksums, crc);
      } else {
        onDevice.add(placed);
      }
    }
    return onDevice.isEmpty()
        ? recorded(streams.up(), checksums)
        : startedOnDevice(onDevice, checksums, beside);
  }

  private void send(HostMemory source, PlacedRun placed, int[] checksums, CRC32C crc)
      throws CudaException {
    CopyBatch.Run run = placed.run();
    for (int i = 0; i < run.chunks(); i++) {
      crc.reset();
      long from = run.sourceOffset() + run.start(i);
      transfers.send(source, from, placed.target(i), run.length(i), crc, streams.up());
      checksums[run.first() + i] = (int) crc.getValue();
    }
  }

  /** Copies what lies on the device, by a kernel that computes the checksums. */
  private CopyEvent startedOnDevice(List<PlacedRun> runs, int[] checksums, boolean beside)
      throws CudaException {
    Set<ReadyAfter> orders = orders(runs);
    try (CurrentContext calls = context.enter()) {
      ChunkTable table = tables.take(calls, chunks(runs));
      runs.forEach(placed -> add(placed, table));
      long event = event(calls, table);
      boolean ordered = isOrderedByStreams(orders);
      PendingCopy copy =
          new PendingCopy(
              context,
              events,
              event,
              checksums,
              ordered && !beside,
              () -> read(table, runs, checksums));
      try {
        synchronized (ordering) { // else the copies waited for work that "before" does not name
          copy.after(named(calls, orders));
          follow(calls, streams.ordered(), streams.orders());
          follow(calls, streams.ordered(), streams.up());
          kernels.capture(calls, table, streams.ordered());
          calls.recordEnd(event, streams.ordered());
        }
        if (!beside) {
          holdUp(calls, orders, event);
        } else if (ordered) {
          copy.freedBy(later -> holdUp(later, orders, event));
        }
        return copy;
      } catch (CudaException e) {
        throw undone(e, copy);
      }
    }
  }

  private static Set<ReadyAfter> orders(List<PlacedRun> runs) {
    Set<ReadyAfter> orders = new LinkedHashSet<>();
    @Nullable ReadyAfter last = null;
    for (PlacedRun placed : runs) {
      if (placed.run().source() instanceof DeviceResident resident) {
        ReadyAfter order = resident.region().after();
        if (!order.equals(last)) { // neighbouring runs mostly share it
          orders.addAll(NamedWork.parts(order));
          last = order;
        }
      }
    }
    return orders;
  }

  /** An event for a launch; the table goes back if there is none. */
  private long event(CurrentContext calls, ChunkTable table) throws CudaException {
    try {
      return events.take(calls);
    } catch (CudaException e) {
      tables.give(table);
      throw e;
    }
  }

  /** Waits for what a launch started before it was refused, so that it gives back what it has. */
  private CudaException undone(CudaException refusal, PendingCopy launch) {
    settle(refusal);
    boolean unused = launch.isDone();
    return refusal;
  }

  /** Whether the application may write all that is copied in these orders, at once. */
  private static boolean isOrderedByStreams(Set<ReadyAfter> orders) {
    return orders.stream().allMatch(ReadyAfter.Stream.class::isInstance);
  }

  /** Lets the application's streams wait for the copies. */
  private static void holdUp(CurrentContext calls, Set<ReadyAfter> orders, long event)
      throws CudaException {
    for (ReadyAfter order : orders) {
      if (order instanceof ReadyAfter.Stream stream) {
        calls.requireNoCapture(stream.handle());
        calls.waitFor(stream.handle(), event);
      }
    }
  }

  private static int chunks(List<PlacedRun> runs) {
    int chunks = 0;
    for (PlacedRun placed : runs) {
      chunks += placed.run().chunks();
    }
    return chunks;
  }

  private static void add(PlacedRun placed, ChunkTable table) {
    CopyBatch.Run run = placed.run();
    if (run.source() instanceof DeviceResident resident) {
      long from = resident.region().address() + run.sourceOffset();
      table.add(from, placed.target(), run.target().bytes(), run.chunks(), run.chunkBytes());
    }
  }

  private void read(ChunkTable table, List<PlacedRun> runs, int[] checksums) {
    int word = 0;
    for (PlacedRun placed : runs) {
      int first = placed.run().first();
      for (int i = 0; i < placed.run().chunks(); i++, word++) {
        checksums[first + i] = table.result(word);
      }
    }
    tables.give(table);
  }

  /** Makes later work of one stream wait for what another one holds now. */
  private void follow(CurrentContext calls, long later, long earlier) throws CudaException {
    long event = events.take(calls);
    try {
      calls.record(event, earlier);
      calls.waitFor(later, event);
    } finally {
      events.give(event);
    }
  }

  /** Whether two spans of the device hold the same bytes; waits for the result. */
  boolean equal(long one, long other, long bytes) throws CudaException {
    int word = wordOf(kernels::compare, one, other, bytes, streams.down());
    return (word & CudaKernels.DIFFERS) == 0;
  }

  /** CRC32C of a span of the device; waits for the result. */
  int checksum(long span, long bytes) throws CudaException {
    return wordOf(kernels::copyWithChecksums, span, CudaKernels.NO_COPY, bytes, streams.down());
  }

  /**
   * Copies a span of the device to the application's memory, and waits until it has landed. The
   * copy runs on a stream that waits for no other work of the application.
   */
  void restore(long span, DeviceResident target, long offset, long bytes) throws CudaException {
    awaitApplication(target.region().after());
    long to = target.region().address() + offset;
    wordOf(kernels::copyWithChecksums, span, to, bytes, streams.down());
  }

  private interface Kernel {
    void launch(CurrentContext calls, ChunkTable table, long stream) throws CudaException;
  }

  /** The word that a kernel leaves for one chunk. */
  private int wordOf(Kernel kernel, long source, long target, long bytes, long stream)
      throws CudaException {
    int[] word = new int[1];
    PendingCopy work;
    try (CurrentContext calls = context.enter()) {
      ChunkTable table = tables.take(calls, 1);
      table.add(source, target, bytes);
      long event = event(calls, table);
      Runnable landed =
          () -> {
            word[0] = table.result(0);
            tables.give(table);
          };
      work = new PendingCopy(context, events, event, NO_CHECKSUMS, true, landed);
      try {
        kernel.launch(calls, table, stream);
        calls.recordEnd(event, stream);
      } catch (CudaException e) {
        throw undone(e, work);
      }
    }
    context.awaitSurely("a kernel", work::isOver);
    work.throwFailure();
    return word[0];
  }

  /** The application's work in these orders, with what was named before. */
  private ApplicationWork named(CurrentContext calls, Set<ReadyAfter> orders) throws CudaException {
    for (ReadyAfter order : orders) {
      orderAfter(calls, order, streams.orders());
    }
    return workOf(calls, streams.orders());
  }

  private ApplicationWork workOf(CurrentContext calls, long stream) throws CudaException {
    long event = events.take(calls);
    try {
      calls.record(event, stream);
    } catch (CudaException e) {
      events.give(event);
      throw e;
    }
    return new ApplicationWork(context, events, event);
  }

  /** Lets later work of a stream of Cairn's wait for work of the application. */
  private void orderAfter(CurrentContext calls, ReadyAfter after, long later) throws CudaException {
    if (after instanceof ReadyAfter.All) {
      for (ReadyAfter part : NamedWork.parts(after)) {
        orderAfter(calls, part, later);
      }
    } else if (after instanceof ReadyAfter.Event event) {
      if (!calls.hasEnded(event.handle())) { // refused if a graph has it; to wait would join that
        calls.waitFor(later, event.handle());
      }
    } else if (after instanceof ReadyAfter.Stream stream) {
      calls.requireNoCapture(stream.handle());
      follow(calls, later, stream.handle());
    } else if (!(after instanceof ReadyAfter.Nothing)) {
      throw new AssertionError(after);
    }
  }

  private PendingCopy recorded(long stream, int[] checksums) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      long event = events.take(calls);
      calls.recordEnd(event, stream);
      return new PendingCopy(context, events, event, checksums, true, () -> {});
    }
  }

  /**
   * Waits for the work that a region of the application names, then starts a copy to it. Neither
   * the pinned buffers, which all copies share, nor the copy wait for other work.
   */
  CopyEvent toResident(ByteBuffer source, DeviceResident target, long offset) {
    boolean dead = context.isDead();
    try {
      awaitApplication(target.region().after());
      transfers.send(source, target.region().address() + offset, streams.up());
      return recorded(streams.up(), NO_CHECKSUMS);
    } catch (CudaException e) {
      return failed(e, dead);
    }
  }

  /** Work on a stream of its own, which waits for no other rank and ends by itself. */
  CopyEvent workBefore(List<DeviceResident> sources) {
    try (CurrentContext calls = context.enter()) {
      long stream = calls.newStream();
      try {
        for (ReadyAfter order : NamedWork.orders(sources)) {
          orderAfter(calls, order, stream);
        }
        return named.of(context, workOf(calls, stream));
      } finally {
        calls.destroyStream(stream);
      }
    } catch (CudaException e) {
      return new FailedCopy(e, () -> true);
    }
  }

  /** Asks no stream of Cairn's, which may wait for the work of another rank. */
  private void awaitApplication(ReadyAfter after) throws CudaException {
    for (ReadyAfter part : NamedWork.parts(after)) {
      if (part instanceof ReadyAfter.Event event) {
        context.awaitApplicationSurely(new ApplicationWork(context, event.handle(), () -> {}));
      } else if (part instanceof ReadyAfter.Stream stream) {
        ApplicationWork before;
        try (CurrentContext calls = context.enter()) {
          calls.requireNoCapture(stream.handle());
          before = workOf(calls, stream.handle());
        }
        context.awaitApplicationSurely(before);
      }
    }
  }

  /** Starts a copy into a buffer of the host, which pinned memory receives by itself. */
  CopyEvent toHost(long source, ByteBuffer target) {
    if (target.isDirect() && !target.isReadOnly() && target.hasRemaining()) {
      boolean dead = context.isDead();
      try (CurrentContext calls = context.enter()) {
        if (isPinned(calls, target)) {
          return straight(calls, source, target);
        }
      } catch (CudaException e) {
        return unsettled(e, dead);
      }
    }
    return arrivals.start(source, target, streams.down());
  }

  /** Its ends tell: nobody pins memory with a gap. */
  private static boolean isPinned(CurrentContext calls, ByteBuffer buffer) throws CudaException {
    long address = CurrentContext.address(buffer);
    return calls.isPinned(address + buffer.position())
        && calls.isPinned(address + buffer.limit() - 1);
  }

  /** The copy keeps its target reachable. */
  private CopyEvent straight(CurrentContext calls, long source, ByteBuffer target)
      throws CudaException {
    long to = CurrentContext.address(target) + target.position();
    long event = events.take(calls);
    try {
      calls.copyToHost(to, source, target.remaining(), streams.down());
    } catch (CudaException e) {
      events.give(event);
      throw e;
    }
    calls.recordEnd(event, streams.down());
    Runnable keep = () -> Objects.requireNonNull(target);
    return new PendingCopy(context, events, event, NO_CHECKSUMS, true, keep);
  }

  /** A copy that failed; nothing of it was started if the GPU was dead before. */
  private CopyEvent failed(CudaException failure, boolean wasDead) {
    settle(failure);
    return unsettled(failure, wasDead);
  }

  /** Likewise; nothing of it was started if the GPU lives. */
  private CopyEvent unsettled(CudaException failure, boolean wasDead) {
    boolean ended = wasDead || !context.isDead();
    return new FailedCopy(failure, () -> ended || !isBusy());
  }

  /** Whether work may be under way; also asks a GPU that is dead. */
  private boolean isBusy() {
    try (CurrentContext calls = context.enterToAsk()) {
      for (long stream : streams.all()) {
        if (calls.isBusy(stream)) {
          return true;
        }
      }
      return false;
    } catch (CudaException e) {
      return true; // nobody can be asked
    }
  }

  /** Waits until no copy is under way, as far as the GPU still answers. */
  private void settle(Exception failure) {
    if (context.isDead()) {
      return;
    }
    try {
      drain();
    } catch (CudaException e) {
      failure.addSuppressed(e);
    }
  }

  /**
   * Waits until no copy is under way, as far as the GPU still answers.
   *
   * @throws CudaException if the end of the copies cannot be seen, but not for a dead GPU
   */
  void awaitAll() throws CudaException {
    if (!context.isDead()) {
      drain();
    }
  }

  private void drain() throws CudaException {
    ApplicationWork before;
    PendingCopy last;
    try (CurrentContext calls = context.enter()) {
      synchronized (ordering) {
        before = named(calls, Set.of());
        last = recorded(streams.ordered(), NO_CHECKSUMS);
      }
    }
    context.awaitApplicationSurely(before);
    awaitSurely(last);
    awaitSurely(recorded(streams.up(), NO_CHECKSUMS));
    awaitSurely(recorded(streams.down(), NO_CHECKSUMS));
  }

  private void awaitSurely(PendingCopy last) throws CudaException {
    context.awaitSurely("the work of a stream", last::isOver);
    last.throwFailure();
  }

  /** Ends the streams, the events and the buffers; no copy is under way. */
  void close() throws CudaException {
    transfers.free();
    arrivals.free();
    try (CurrentContext calls = context.enter()) {
      tables.free(calls);
      kernels.unload(calls);
      events.destroy(calls);
      streams.destroy(calls);
    }
  }
}
