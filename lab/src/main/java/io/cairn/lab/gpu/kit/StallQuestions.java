package io.cairn.lab.gpu.kit;

import io.cairn.lab.gpu.kit.ChunkList.Chunk;
import java.io.IOException;

/** Which calls wait for a kernel that runs, though they have nothing to do with it. */
final class StallQuestions {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int MOST_BYTES = 256 << 20;
  private static final int LAUNCHES_TIMED = 5;
  private static final double LAUNCH_NANOS = 100e3;
  private static final double BUSY_NANOS = 50e6;
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
    Kernels kernels = new Kernels(gpu);
    ask(kernels, "cuMemFree", WAITS, () -> gpu.free(memory));
    ask(kernels, "cuMemFreeHost", WAITS, () -> gpu.freeHost(pinned));
    ask(kernels, "cuMemAlloc", RETURNS, () -> gpu.allocate(1 << 20));
    ask(kernels, "cuMemHostAlloc", RETURNS, () -> gpu.allocateHost(1 << 20));
    ask(kernels, "cuStreamCreate", RETURNS, gpu::stream);
  }

  private void ask(Kernels kernels, String name, String assumed, Call call) throws IOException {
    long event = kernels.start();
    long began = System.nanoTime();
    call.run();
    double millis = (System.nanoTime() - began) / 1e6;
    boolean waited = kernels.gpu.hasEnded(event);
    kernels.gpu.awaitEvent(event);
    double all = (System.nanoTime() - began) / 1e6;
    findings.answer("stall: " + name, assumed, waited ? WAITS : RETURNS);
    findings.figure(name + " while a kernel runs", millis, "ms");
    findings.figure("end of the kernel in that", all, "ms");
  }

  /**
   * Work on a stream of its own. Each kernel lasts longer than its launch, so that all of them are
   * waiting when a call begins; together they last longer than a call that does not wait for them.
   */
  private static final class Kernels {
    private final Gpu gpu;
    private final long stream;
    private ChunkList chunks;
    private long leaves;
    private int launches = LAUNCHES_TIMED;

    Kernels(Gpu gpu) throws IOException {
      this.gpu = gpu;
      stream = gpu.stream();
      chunks = chunks(gpu, CHUNK_BYTES);
      leaves = gpu.allocate(128 * chunks.pieces());
      run(); // translates the kernel
      double nanos = run();
      for (int bytes = 2 * CHUNK_BYTES; nanos < LAUNCH_NANOS && bytes <= MOST_BYTES; bytes *= 2) {
        chunks = chunks(gpu, bytes);
        leaves = gpu.allocate(128 * chunks.pieces());
        nanos = run();
      }
      launches = (int) Math.max(1, BUSY_NANOS / nanos);
    }

    private static ChunkList chunks(Gpu gpu, int bytes) throws IOException {
      return ChunkList.dividing(gpu, new Chunk(gpu.allocate(bytes), 0, bytes), CHUNK_BYTES);
    }

    /** Does all work once; returns the nanoseconds that a kernel took. */
    private double run() throws IOException {
      long began = System.nanoTime();
      gpu.awaitEvent(start());
      return (System.nanoTime() - began) / (double) launches;
    }

    /** Starts the work; returns the event of its end. */
    long start() throws IOException {
      for (int i = 0; i < launches; i++) {
        chunks.launch("cairn_hash128", stream, leaves);
      }
      return gpu.record(stream);
    }
  }
}
