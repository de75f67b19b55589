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
    double one = timing.median(this::launch, this::launch);
    int launches =
        (int) Math.max(1, Math.min(mostLaunches, CAPTURES_PER_LOOP * captureMillis / one));
    List<Double> alone = new ArrayList<>();
    List<Double> beside = new ArrayList<>();
    for (int round = 0; round < rounds; round++) { // in turns, since clocks of GPUs change
      alone.add(timing.millis(() -> loop(launches)));
      List<CopyEvent> capture = new ArrayList<>();
      beside.add(
          timing.millis(
              () -> {
                loop(launches / 10 + 1); // the GPU is busy while the host makes the batch
                capture.add(captures.capture(new ReadyAfter.Nothing()));
                loop(launches - launches / 10 - 1);
              }));
      capture.get(0).await();
    }
    findings.figure("loop alone", Middle.of(alone), "ms");
    findings.figure("loop with a capture beside it", Middle.of(beside), "ms");
    findings.figure("the capture alone", captureMillis, "ms");
    double percent = 100 * (Middle.of(beside) / Middle.of(alone) - 1);
    findings.figure(Bar.atMost("slowdown of the loop", percent, MOST_PERCENT), "%");
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
