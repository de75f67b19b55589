package io.cairn.adjoint.history;

import io.cairn.adjoint.history.LoanMessage.Report;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The newest report of each process, as one of them knows it. As soon as each of them has reported
 * anew, they make a plan together. Every process makes the same one. Thread-safe.
 */
final class LoanReports {
  private final int devices;
  private final Map<Integer, Report> newest = new HashMap<>();
  private Report own;

  /** Nobody has reported. */
  LoanReports(int device, int devices) {
    this.devices = devices;
    own = new Report(device, new SplittableRandom().nextLong(), 0, false, 0, 0);
  }

  /** This process reports anew: chunks to spare; below zero, missing ones. */
  synchronized Report report(int chunkBytes, long chunks) {
    own = new Report(own.device(), own.life(), own.number() + 1, true, chunkBytes, chunks);
    return own;
  }

  /** This process takes part in no plan until it reports anew. */
  synchronized Report withdraw() {
    own = new Report(own.device(), own.life(), own.number() + 1, false, 0, 0);
    return own;
  }

  /** The newest report of this process. */
  synchronized Report own() {
    return own;
  }

  /**
   * A report came.
   *
   * @return the newest report of this process
   * @throws IllegalArgumentException if it is of no other device
   */
  synchronized Report heard(Report report) {
    if (report.device() < 0 || report.device() >= devices || report.device() == own.device()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a report of device %d came to device %d of %d",
              report.device(),
              own.device(),
              devices));
    }
    Report before = newest.get(report.device());
    if (before == null || before.life() != report.life() || before.number() < report.number()) {
      newest.put(report.device(), report);
    }
    return own;
  }

  /**
   * The chunks of all devices, if each has reported anew since the last plan; else null. Chunks of
   * another length than the own ones count as none.
   */
  synchronized @Nullable Map<Integer, Long> plan() {
    boolean allCame =
        own.open()
            && newest.size() == devices - 1
            && newest.values().stream().allMatch(Report::open);
    if (!allCame) {
      return null;
    }
    Map<Integer, Long> chunks = new HashMap<>();
    own = used(own, chunks);
    newest.replaceAll((device, report) -> used(report, chunks));
    return chunks;
  }

  private Report used(Report report, Map<Integer, Long> chunks) {
    boolean fits = report.chunkBytes() == own.chunkBytes();
    chunks.put(report.device(), fits ? report.chunks() : 0L);
    return new Report(
        report.device(),
        report.life(),
        report.number(),
        false,
        report.chunkBytes(),
        report.chunks());
  }
}
