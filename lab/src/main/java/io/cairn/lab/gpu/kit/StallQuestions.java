package io.cairn.lab.gpu.kit;

import io.cairn.lab.gpu.kit.ChunkList.Chunk;
import java.io.IOException;

/** Which calls wait for a kernel that runs, though they have nothing to do with it. */
final class StallQuestions {
  private static final int SMALL_BYTES = 1 << 20;
  private static final int LARGE_BYTES = 256 << 20;
  private static final int FEW_LAUNCHES = 5;
  private static final int MANY_LAUNCHES = 200;
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

  /** Long work on a stream of its own. */
  private final class Kernels {
    private final Gpu gpu;
    private final long stream;
    private final ChunkList chunks;
    private final long leaves;

    Kernels(Gpu gpu) throws IOException {
      this.gpu = gpu;
      stream = gpu.stream();
      int bytes = options.small() ? SMALL_BYTES : LARGE_BYTES;
      Chunk chunk = new Chunk(gpu.allocate(bytes), 0, bytes);
      chunks = ChunkList.dividing(gpu, chunk, SMALL_BYTES);
      leaves = gpu.allocate(128 * chunks.pieces());
      start();
      gpu.await(stream);
    }

    /** Starts the work; returns the event of its end. */
    long start() throws IOException {
      int launches = options.small() ? FEW_LAUNCHES : MANY_LAUNCHES;
      for (int i = 0; i < launches; i++) {
        chunks.launch("cairn_hash128", stream, leaves);
      }
      return gpu.record(stream);
    }
  }
}
