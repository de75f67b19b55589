package io.cairn.lab.gpu.kit;

import com.sun.jna.ptr.FloatByReference;
import io.cairn.lab.gpu.kit.ChunkList.Chunk;
import java.io.IOException;
import java.util.Collections;

/** Which calls wait for a kernel that runs, though they have nothing to do with it. */
final class StallQuestions {
  private static final int FEWEST_PIECES = 16;
  private static final int MOST_PIECES = 1 << 18;
  private static final int MOST_STARTS = 10;
  private static final double BUSY_MILLIS = 50;
  private static final String WAITS = "waits for the kernel";
  private static final String RETURNS = "returns at once";

  /** A call of the driver. */
  private interface Call {
    void run() throws GpuException;
  }

  private final KitOptions options;
  private final Findings findings;

  StallQuestions(KitOptions options, Findings findings) {
    this.options = options;
    this.findings = findings;
  }

  void ask() throws IOException {
    Gpu gpu = Gpu.open(options);
    long memory = gpu.allocate(1 << 20);
    long pinned = gpu.allocateHost(1 << 20);
    Kernel kernel = new Kernel(gpu);
    ask(kernel, "cuMemFree", WAITS, () -> gpu.free(memory));
    ask(kernel, "cuMemFreeHost", WAITS, () -> gpu.freeHost(pinned));
    ask(kernel, "cuMemAlloc", RETURNS, () -> gpu.allocate(1 << 20));
    ask(kernel, "cuMemHostAlloc", RETURNS, () -> gpu.allocateHost(1 << 20));
    ask(kernel, "cuStreamCreate", RETURNS, gpu::stream);
  }

  private void ask(Kernel kernel, String name, String assumed, Call call) throws IOException {
    long event = kernel.start();
    for (int again = 0; kernel.gpu.hasEnded(event); again++) { // as if the host was busy
      if (again == MOST_STARTS) {
        throw new IOException("no kernel ran when " + name + " was called");
      }
      event = kernel.start();
    }
    long began = System.nanoTime();
    call.run();
    double millis = (System.nanoTime() - began) / 1e6;
    boolean waited = kernel.gpu.hasEnded(event);
    kernel.gpu.awaitEvent(event);
    double all = (System.nanoTime() - began) / 1e6;
    findings.answer("stall: " + name, assumed, waited ? WAITS : RETURNS);
    findings.figure(name + " while a kernel runs", millis, "ms");
    findings.figure("end of the kernel in that", all, "ms");
  }

  /**
   * One launch on a stream of its own, of one block, over the same piece again and again. It lasts
   * longer than a call that does not wait for it, by the GPU's own clock.
   */
  private static final class Kernel {
    private final Gpu gpu;
    private final long stream;
    private final long begin;
    private final long end;
    private final Chunk piece;
    private ChunkList pieces;
    private long leaves;

    Kernel(Gpu gpu) throws IOException {
      this.gpu = gpu;
      stream = gpu.stream();
      begin = gpu.event();
      end = gpu.event();
      piece = new Chunk(gpu.allocate(ChunkList.PIECE_BYTES), 0, ChunkList.PIECE_BYTES);
      pieces = pieces(FEWEST_PIECES);
      leaves = gpu.allocate(128 * pieces.pieces());
      gpu.awaitEvent(start()); // translates the kernel
      double millis = millis();
      for (int count = 2 * FEWEST_PIECES; millis < BUSY_MILLIS; count *= 2) {
        if (count > MOST_PIECES) {
          throw new IOException(
              "no kernel ran for %s ms: one of %s pieces took %s ms"
                  .formatted(BUSY_MILLIS, count / 2, millis));
        }
        gpu.free(leaves);
        pieces = pieces(count);
        leaves = gpu.allocate(128 * pieces.pieces());
        millis = millis();
      }
    }

    private ChunkList pieces(int count) throws GpuException {
      return ChunkList.of(gpu, Collections.nCopies(count, piece));
    }

    /** The milliseconds that the kernel takes. */
    private double millis() throws IOException {
      gpu.record(begin, stream);
      gpu.awaitEvent(start());
      FloatByReference millis = new FloatByReference();
      gpu.call("cuEventElapsedTime", millis, begin, end);
      return millis.getValue();
    }

    /** Starts the kernel; returns the event of its end. */
    long start() throws IOException {
      pieces.launchOn(1, "cairn_hash128", stream, leaves);
      gpu.record(end, stream);
      return end;
    }
  }
}
