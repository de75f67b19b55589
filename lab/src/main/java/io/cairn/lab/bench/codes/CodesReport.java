package io.cairn.lab.bench.codes;

import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.MeasuredMachine;
import java.util.List;

/**
 * The findings of {@code bench codes}; its JSON is these records.
 *
 * @param date when, in UTC
 * @param pieceBytes length of each piece
 * @param codes one entry per code
 * @param bars figures that must hold
 */
record CodesReport(
    String date, MeasuredMachine machine, int pieceBytes, List<Code> codes, List<Bar> bars) {
  /**
   * One code on one thread. Rates count the bytes of the pieces that are read.
   *
   * @param scheme the name
   * @param data pieces of data
   * @param parities of the code
   * @param encodeGBps billions of bytes per second, of one parity, as one holder computes it
   * @param encodeAllGBps the same of all parities, each computed by itself
   * @param rebuildGBps of one lost piece of data, when as many pieces are lost as the code survives
   */
  record Code(
      String scheme,
      int data,
      int parities,
      double encodeGBps,
      double encodeAllGBps,
      double rebuildGBps) {}

  CodesReport {
    codes = List.copyOf(codes);
    bars = List.copyOf(bars);
  }

  boolean passed() {
    return bars.stream().allMatch(Bar::met);
  }
}
