package io.cairn.lab.gpu.kit;

import io.cairn.ReadyAfter;
import io.cairn.cache.memory.cuda.CudaDevice;
import io.cairn.cache.memory.cuda.CudaOptions;
import io.cairn.lab.gpu.kit.ChunkList.Chunk;
import io.cairn.lab.measure.Bar;

/**
 * The speed of Cairn's copies beside that of the driver's own, as medians. Every figure on the GPU
 * comes from events of the driver.
 */
final class BenchmarkPart implements KitPart.Program {
  private static final int ROUNDS = 21;
  private static final int FEW_ROUNDS = 2;
  private static final int FEW_ROUNDS_OF_GRIDS = 7;
  private static final long MOST_BYTES = 32L << 30;
  private static final long SMALL_BYTES = 1 << 20;
  private static final int CHUNK_BYTES = 4 << 20;
  private static final int SMALL_CHUNK_BYTES = 64 << 10;

  /** Of the free memory, since source and target lie on the GPU. */
  private static final double SHARE = 0.45;

  /** So long is the GPU busy before a measurement, in halves of a copy. */
  private static final int COPIES_BEFORE = 3;

  private static final double COPY_PERCENT = 80;
  private static final double HASH_PERCENT = 60;

  @Override
  public void run(KitOptions options, Findings findings) throws Exception {
    Gpu gpu = Gpu.open(options);
    int chunkBytes = options.small() ? SMALL_CHUNK_BYTES : CHUNK_BYTES;
    long bytes = bytes(options, gpu, chunkBytes);
    int rounds = options.small() ? FEW_ROUNDS : ROUNDS;
    findings.figure("bytes of a copy", bytes / (double) (1 << 30), "GiB");
    findings.figure("rounds", rounds, "");
    try (CudaDevice device =
        CudaDevice.open(
            CudaOptions.of(options.library(), options.ordinal(), bytes, options.scratch()))) {
      DeviceCaptures captures =
          new DeviceCaptures(gpu, device, options.ordinal(), bytes, chunkBytes);
      StreamTiming timing = new StreamTiming(gpu, rounds);
      Copies copies = copies(timing, captures, findings);
      hashes(timing, captures, copies, findings);
      new HostCopies(gpu, captures, rounds).measure(findings);
      BesideLoop loop = new BesideLoop(timing, captures, copies.captureMillis, options.small());
      loop.measure(findings, rounds);
      loop.measureGrids(findings, Math.min(rounds, FEW_ROUNDS_OF_GRIDS));
    }
  }

  private static long bytes(KitOptions options, Gpu gpu, int chunkBytes) throws GpuException {
    long bytes =
        options.small() ? SMALL_BYTES : Math.min(MOST_BYTES, (long) (SHARE * gpu.freeBytes()));
    return bytes / chunkBytes * chunkBytes;
  }

  /** Measures captures beside bare copies; returns the milliseconds of each. */
  private static Copies copies(StreamTiming timing, DeviceCaptures captures, Findings findings)
      throws Exception {
    long stream = timing.stream();
    StreamTiming.Work bare = () -> captures.copyHalf(stream);
    StreamTiming.Work longer =
        () -> {
          for (int i = 0; i < COPIES_BEFORE; i++) {
            captures.copyHalf(stream);
          }
        };
    StreamTiming.Work capture = () -> captures.capture(new ReadyAfter.Stream(stream));
    double bareMillis = 2 * timing.median(longer, bare);
    double captureMillis = timing.median(longer, capture);
    captures.verify(stream);
    findings.figure("bare copy on the GPU", captures.bytes() / bareMillis / 1e6, "GB/s");
    findings.figure("capture with checksums", captures.bytes() / captureMillis / 1e6, "GB/s");
    double percent = 100 * bareMillis / captureMillis;
    findings.figure(Bar.atLeast("capture beside bare copy", percent, COPY_PERCENT), "%");
    captures.measureHostCost(findings, stream, timing.rounds());
    return new Copies(bareMillis, captureMillis);
  }

  /**
   * Measures the hash. The bandwidth of reads is that of the kernel that looks in zeros for a byte
   * that is not zero. It is that of a copy, which reads and writes, if that is higher.
   */
  private static void hashes(
      StreamTiming timing, DeviceCaptures captures, Copies copies, Findings findings)
      throws Exception {
    Gpu gpu = timing.gpu();
    long stream = timing.stream();
    Chunk memory = new Chunk(captures.source(), 0, captures.bytes());
    ChunkList chunks = ChunkList.dividing(gpu, memory, captures.chunkBytes());
    long words = gpu.allocate(4L * chunks.count());
    long leaves = gpu.allocate(128 * chunks.pieces());
    long hashes = gpu.allocate(16L * chunks.count());
    gpu.call("cuMemsetD8Async", memory.source(), (byte) 0, memory.bytes(), stream);
    gpu.call("cuMemsetD8Async", words, (byte) 0, 4L * chunks.count(), stream);
    StreamTiming.Work read = () -> chunks.launch("cairn_differs", stream, words);
    StreamTiming.Work hash =
        () -> {
          chunks.launch("cairn_hash128", stream, leaves);
          chunks.launch("cairn_hash128_roots", stream, leaves, hashes);
        };
    double readMillis = timing.median(read, read);
    double hashMillis = timing.median(read, hash);
    findings.figure("read by a kernel", memory.bytes() / readMillis / 1e6, "GB/s");
    findings.figure("hash", memory.bytes() / hashMillis / 1e6, "GB/s");
    double percent = 100 * Math.min(readMillis, copies.bareMillis / 2) / hashMillis;
    findings.figure(Bar.atLeast("hash beside read bandwidth", percent, HASH_PERCENT), "%");
  }

  /** Medians for all of the bytes. */
  private record Copies(double bareMillis, double captureMillis) {}
}
