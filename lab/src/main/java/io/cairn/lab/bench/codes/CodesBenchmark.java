package io.cairn.lab.bench.codes;

import io.cairn.flush.redundancy.RedundancyScheme;
import io.cairn.lab.bench.codes.CodesReport.Code;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Middle;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Computes pieces again and again on one thread, in native memory, as the holders of parities and
 * the restoring ranks do. A rate is the median over the rounds after the first half, which warms
 * up.
 *
 * @param pieceBytes length of each piece
 * @param rounds of each figure
 * @param perRound computations that are timed together
 */
record CodesBenchmark(int pieceBytes, int rounds, int perRound) {
  private static final double XOR_GBPS = 4;
  private static final double REED_SOLOMON_GBPS = 1;

  CodesReport run() {
    Code xor = measure(RedundancyScheme.of("xor", 4, 1));
    Code rs = measure(RedundancyScheme.of("rs", 4, 2));
    return new CodesReport(
        Instant.now().toString(),
        MeasuredMachine.current(),
        pieceBytes,
        List.of(xor, rs),
        List.of(
            Bar.atLeast("xor, encode, GB/s", xor.encodeGBps(), XOR_GBPS),
            Bar.atLeast("xor, rebuild, GB/s", xor.rebuildGBps(), XOR_GBPS),
            Bar.atLeast("rs, encode, GB/s", rs.encodeAllGBps(), REED_SOLOMON_GBPS),
            Bar.atLeast("rs, rebuild, GB/s", rs.rebuildGBps(), REED_SOLOMON_GBPS)));
  }

  Code measure(RedundancyScheme code) {
    List<ByteBuffer> all = new ArrayList<>();
    Random random = new Random(7);
    for (int piece = 0; piece < code.data() + code.parities(); piece++) {
      byte[] bytes = new byte[pieceBytes];
      random.nextBytes(bytes);
      all.add(ByteBuffer.allocateDirect(pieceBytes).put(bytes).flip());
    }
    List<Integer> parities = new ArrayList<>();
    for (int parity = 0; parity < code.parities(); parity++) {
      parities.add(code.data() + parity);
    }
    return new Code(
        code.name(),
        code.data(),
        code.parities(),
        rate(code, all, 0, parities.subList(0, 1)),
        rate(code, all, 0, parities),
        rate(code, all, code.parities(), List.of(0)));
  }

  /** Computes the wanted pieces from those after the first lost ones. */
  private double rate(
      RedundancyScheme code, List<ByteBuffer> all, int firstLost, List<Integer> wanted) {
    List<Optional<ByteBuffer>> present =
        new ArrayList<>(Collections.nCopies(all.size(), Optional.empty()));
    for (int piece = firstLost; piece < firstLost + code.data(); piece++) {
      present.set(piece, Optional.of(all.get(piece)));
    }
    ByteBuffer into = ByteBuffer.allocateDirect(pieceBytes);
    List<Double> rates = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      long before = System.nanoTime();
      for (int computation = 0; computation < perRound; computation++) {
        for (int piece : wanted) {
          code.compute(present, piece, into.clear());
        }
      }
      double read = (double) perRound * code.data() * pieceBytes;
      rates.add(read / (System.nanoTime() - before));
    }
    return Middle.of(rates.subList(rounds / 2, rounds));
  }
}
