package io.cairn.cache.memory.cuda;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CompletedCopy;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.session.ReadyAfter;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The copies of one device, on streams of their own. Addresses are the driver's. A copy that cannot
 * be started is an event that failed. Thread-safe.
 */
final class CudaCopies {
  private static final int[] NO_CHECKSUMS = {};

  private final CudaContext context;
  private final EventPool events = new EventPool();
  private final HostTransfers transfers;
  private final CudaStreams streams;

  private CudaCopies(CudaContext context, HostTransfers transfers, CudaStreams streams) {
    this.context = context;
    this.transfers = transfers;
    this.streams = streams;
  }

  /** Makes streams and pinned buffers. */
  static CudaCopies open(CudaContext context, int bufferBytes) throws CudaException {
    HostTransfers transfers = HostTransfers.allocate(context, bufferBytes);
    try {
      return new CudaCopies(context, transfers, CudaStreams.create(context));
    } catch (CudaException e) {
      transfers.free();
      throw e;
    }
  }

  /**
   * Starts the copies of a batch.
   *
   * @param targets of the chunks
   */
  CopyEvent toDevice(CopyBatch batch, long[] targets) {
    try {
      return started(batch, targets);
    } catch (CudaException e) {
      return failed(e);
    } catch (RuntimeException e) {
      settle(e);
      throw e;
    }
  }

  private CopyEvent started(CopyBatch batch, long[] targets) throws CudaException {
    int[] checksums = new int[targets.length];
    CRC32C crc = new CRC32C();
    for (int chunk = 0; chunk < targets.length; chunk++) {
      CaptureSource source = batch.source(chunk);
      long offset = batch.sourceOffset(chunk);
      long bytes = batch.target(chunk).bytes();
      if (source instanceof HostMemory host) {
        crc.reset();
        transfers.send(host, offset, targets[chunk], bytes, crc, streams.up());
        checksums[chunk] = (int) crc.getValue();
      } else if (source instanceof DeviceResident resident) {
        orderAfter(resident.region().after());
        copyOnDevice(resident.region().address() + offset, targets[chunk], bytes);
        // until a kernel computes it in the copy, the starting thread does
        checksums[chunk] =
            transfers.checksum(targets[chunk], Math.toIntExact(bytes), crc, streams.ordered());
      } else {
        throw new AssertionError(source);
      }
    }
    return recorded(streams.up(), checksums);
  }

  /** Makes later work of the ordered stream wait for the application's. */
  private void orderAfter(ReadyAfter after) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      if (after instanceof ReadyAfter.Event event) {
        calls.waitFor(streams.ordered(), event.handle());
      } else if (after instanceof ReadyAfter.Stream stream) {
        long event = events.take(calls);
        calls.record(event, stream.handle());
        calls.waitFor(streams.ordered(), event);
        events.give(event);
      } else if (!(after instanceof ReadyAfter.Nothing)) {
        throw new AssertionError(after);
      }
    }
  }

  private void copyOnDevice(long source, long target, long bytes) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      calls.copyOnDevice(target, source, bytes, streams.ordered());
    }
  }

  private PendingCopy recorded(long stream, int[] checksums) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      long event = events.take(calls);
      calls.recordEnd(event, stream);
      return new PendingCopy(context, events, event, checksums);
    }
  }

  /** Starts a copy to the application's memory, after the work that its region names. */
  CopyEvent toResident(ByteBuffer source, DeviceResident target, long offset) {
    try {
      orderAfter(target.region().after());
      transfers.send(source, target.region().address() + offset, streams.ordered());
      return recorded(streams.ordered(), NO_CHECKSUMS);
    } catch (CudaException e) {
      return failed(e);
    }
  }

  /** Copies into a buffer of the host; has ended when it returns. */
  CopyEvent toHost(long source, ByteBuffer target) {
    try {
      transfers.receive(source, target, streams.down());
      return CompletedCopy.TO_HOST;
    } catch (CudaException e) {
      return failed(e);
    }
  }

  private CopyEvent failed(CudaException failure) {
    settle(failure);
    return new FailedCopy(failure);
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

  private void drain() throws CudaException {
    for (long stream : streams.all()) {
      context.awaitSurely("the work of a stream", recorded(stream, NO_CHECKSUMS)::isDone);
    }
  }

  /** Waits until no copy is under way, and ends the streams, the events and the buffers. */
  void close() throws CudaException {
    drain();
    transfers.free();
    try (CurrentContext calls = context.enter()) {
      events.destroy(calls);
      streams.destroy(calls);
    }
  }
}
