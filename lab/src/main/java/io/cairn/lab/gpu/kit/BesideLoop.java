package io.cairn.lab.gpu.kit;

import io.cairn.ReadyAfter;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.lab.gpu.kit.ChunkList.Chunk;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.Middle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A loop of kernels that compute, alone and with one capture beside it. Its kernel is Cairn's hash,
 * of the same 64 KiB over and over, so it needs next to nothing of the memory's bandwidth. The loop
 * lasts about twenty times as long as the capture.
 */
final class BesideLoop {
  private static final int PIECES_PER_MULTIPROCESSOR = 64;
  private static final double CAPTURES_PER_LOOP = 20;
  private static final int MOST_LAUNCHES = 2000;
  private static final int FEW_LAUNCHES = 2;
  private static final double MOST_PERCENT = 2;
  private static final int[] SHARES = {1, 2, 4, 8};
  private static final String KERNEL_OF_CAPTURES = "cairn_copy_crc32c";

  private final StreamTiming timing;
  private final DeviceCaptures captures;
  private final double captureMillis;
  private final int mostLaunches;
  private final ChunkList same;
  private final long leaves;

  BesideLoop(StreamTiming timing, DeviceCaptures captures, double captureMillis, boolean small)
      throws GpuException {
    this.timing = timing;
    this.captures = captures;
    this.captureMillis = captureMillis;
    mostLaunches = small ? FEW_LAUNCHES : MOST_LAUNCHES;
    Gpu gpu = timing.gpu();
    Chunk piece = new Chunk(captures.source(), 0, ChunkList.PIECE_BYTES);
    int pieces = small ? 1 : PIECES_PER_MULTIPROCESSOR * gpu.multiprocessors();
    same = ChunkList.of(gpu, Collections.nCopies(pieces, piece));
    leaves = gpu.allocate(128 * same.pieces());
  }

  void measure(Findings findings, int rounds) throws Exception {
    List<CopyEvent> capture = new ArrayList<>();
    Loops loops =
        loops(
            rounds,
            () -> capture.add(captures.capture(new ReadyAfter.Nothing())),
            () -> capture.remove(0).await());
    findings.figure("loop alone", loops.alone, "ms");
    findings.figure("loop with a capture beside it", loops.beside, "ms");
    findings.figure("the capture alone", captureMillis, "ms");
    findings.figure(Bar.atMost("slowdown of the loop", loops.percent(), MOST_PERCENT), "%");
  }

  /**
   * Measures the kernel of a capture on parts of the multiprocessors, one block on each: its
   * bandwidth alone, and the slowdown of the loop by as many bytes as a capture has.
   */
  void measureGrids(Findings findings, int rounds) throws Exception {
    Gpu gpu = timing.gpu();
    long half = captures.bytes() / 2;
    ChunkList chunks =
        ChunkList.dividing(
            gpu,
            new Chunk(captures.source(), captures.source() + half, half),
            captures.chunkBytes());
    long words = gpu.allocate(4L * chunks.count());
    long other = gpu.stream();
    for (int share : SHARES) {
      int blocks = Math.max(1, gpu.multiprocessors() / share);
      StreamTiming.Work alone =
          () -> chunks.launchOn(blocks, KERNEL_OF_CAPTURES, timing.stream(), words);
      StreamTiming.Work twice =
          () -> {
            chunks.launchOn(blocks, KERNEL_OF_CAPTURES, other, words);
            chunks.launchOn(blocks, KERNEL_OF_CAPTURES, other, words);
          };
      double millis = timing.median(alone, alone);
      Loops loops = loops(rounds, twice, () -> gpu.await(other));
      String where = "on 1/" + share + " of the multiprocessors";
      findings.figure("kernel of a capture " + where, half / millis / 1e6, "GB/s");
      findings.figure("slowdown of the loop by it " + where, loops.percent(), "%");
    }
  }

  /** Medians of the loop alone, and of that with other work beside it. */
  private record Loops(double alone, double beside) {
    double percent() {
      return 100 * (beside / alone - 1);
    }
  }

  /** Runs both loops in turns, since clocks of GPUs change. */
  private Loops loops(int rounds, StreamTiming.Work work, StreamTiming.Work end) throws Exception {
    double one = timing.median(this::launch, this::launch);
    int launches =
        (int) Math.max(1, Math.min(mostLaunches, CAPTURES_PER_LOOP * captureMillis / one));
    List<Double> alone = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      alone.add(timing.millis(() -> loop(launches)));
      beside.add(
          timing.millis(
              () -> {
                loop(launches / 10 + 1); // the GPU is busy while the host makes the batch
                work.start();
                loop(launches - launches / 10 - 1);
              }));
      end.start();
    }
    return new Loops(Middle.of(alone), Middle.of(beside));
  }

  private void loop(int launches) throws Exception {
    for (int i = 0; i < launches; i++) {
      launch();
    }
  }

  private void launch() throws Exception {
    same.launch("cairn_hash128", timing.stream(), leaves);
  }
}
