package io.cairn.lab.bench.codes;

import io.cairn.cli.Units;
import io.cairn.flush.redundancy.RedundancyScheme;
import io.cairn.lab.measure.Bench;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Middle;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code cairn-lab bench codes}: the rates of the codes of PEER. Computes pieces again and again on
 * one thread, in native memory, as the holders of parities and the restoring ranks do.
 */
@Command(
    name = "codes",
    description = {
      "Compute parities and lost pieces by the codes of PEER, on one thread.",
      "Takes some ten seconds; leave the machine alone meanwhile."
    })
public final class BenchCodesCommand extends Bench {
  /** Computations that are timed together. */
  private static final int TOGETHER = 50;

  private static final double XOR_GBPS = 4;
  private static final double REED_SOLOMON_GBPS = 1;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "40",
      description = "Rounds of each figure, half of which warm up. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  private final int pieceBytes;

  /** Made by the command line. */
  public BenchCodesCommand() {
    this(1 << 20);
  }

  /** A benchmark of pieces of this length. */
  BenchCodesCommand(int pieceBytes) {
    this.pieceBytes = pieceBytes;
  }

  @Override
  protected void measure(BenchReport report) {
    String over =
        "GB of pieces read per second: pieces of %s, one thread, medians of the second half of %s";
    FigureTable rates = report.table(over, Units.bytes(pieceBytes), Units.count(rounds, "round"));
    FigureTable.Row xor = measure(RedundancyScheme.of("xor", 4, 1), rates.row());
    FigureTable.Row rs = measure(RedundancyScheme.of("rs", 4, 2), rates.row());
    report.atLeast("xor, encode, GB/s", xor.number("encode one"), XOR_GBPS);
    report.atLeast("xor, rebuild, GB/s", xor.number("rebuild one"), XOR_GBPS);
    report.atLeast("rs, encode, GB/s", rs.number("encode all"), REED_SOLOMON_GBPS);
    report.atLeast("rs, rebuild, GB/s", rs.number("rebuild one"), REED_SOLOMON_GBPS);
  }

  /** One lost piece of data is rebuilt when as many pieces are lost as the code survives. */
  private FigureTable.Row measure(RedundancyScheme code, FigureTable.Row row) {
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
    return row.add("code", code.name())
        .add("data", code.data())
        .add("parities", code.parities())
        .add("encode one", rate(code, all, 0, parities.subList(0, 1)))
        .add("encode all", rate(code, all, 0, parities))
        .add("rebuild one", rate(code, all, code.parities(), List.of(0)));
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
      for (int computation = 0; computation < TOGETHER; computation++) {
        for (int piece : wanted) {
          code.compute(present, piece, into.clear());
        }
      }
      double read = (double) TOGETHER * code.data() * pieceBytes;
      rates.add(read / (System.nanoTime() - before));
    }
    return Middle.of(rates.subList(rounds / 2, rounds));
  }
}
