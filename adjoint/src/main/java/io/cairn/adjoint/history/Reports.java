package io.cairn.adjoint.history;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.sharing.DeskMessage.Report;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The newest report of each process, as one of them knows it. As soon as each of them has reported
 * anew, they make a plan together. Every process makes the same one. Thread-safe.
 */
final class Reports {
  private static final GroupId HISTORIES = new GroupId("adjoint", "histories");

  /** Length of a chunk in a report that takes part in no plan; no chunk is so short. */
  private static final int CLOSED = 1;

  private final Map<Integer, Report> newest = new HashMap<>();
  private Report own;

  /** Nobody has reported. */
  Reports(int device, int devices) {
    own =
        report(new Member(HISTORIES, device, devices), UUID.randomUUID().toString(), 0, CLOSED, 0);
  }

  /**
   * A report of a process.
   *
   * @param process its device among all
   * @param life of the process, another one for each start
   * @param number rises with each of its reports
   * @param chunks to spare; below zero, missing ones. No device has more than 2<sup>31</sup> - 1.
   */
  static Report report(Member process, String life, long number, int chunkBytes, long chunks) {
    int missing = (int) Math.min(Integer.MAX_VALUE, Math.max(0, -chunks));
    int spare = (int) Math.min(Integer.MAX_VALUE, Math.max(0, chunks));
    return new Report(process, 1, number, life, missing, spare, chunkBytes);
  }

  private static Report closed(Report report, long number) {
    return report(report.member(), report.holder(), number, CLOSED, 0);
  }

  /** This process reports anew: chunks to spare; below zero, missing ones. */
  synchronized Report report(int chunkBytes, long chunks) {
    own = report(own.member(), own.holder(), own.iteration() + 1, chunkBytes, chunks);
    return own;
  }

  /** This process takes part in no plan until it reports anew. */
  synchronized Report withdraw() {
    own = closed(own, own.iteration() + 1);
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
    int device = report.member().rank();
    int devices = own.member().size();
    if (report.member().size() != devices || device == own.member().rank()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a report of device %d of %d came to device %d of %d",
              device,
              report.member().size(),
              own.member().rank(),
              devices));
    }
    Report before = newest.get(device);
    if (before == null
        || !before.holder().equals(report.holder())
        || before.iteration() < report.iteration()) {
      newest.put(device, report);
    }
    return own;
  }

  /**
   * The chunks of all devices, if each has reported anew since the last plan; else null. Chunks of
   * another length than the own ones count as none.
   */
  synchronized @Nullable Map<Integer, Long> plan() {
    boolean allCame =
        own.chunkBytes() != CLOSED
            && newest.size() == own.member().size() - 1
            && newest.values().stream().allMatch(report -> report.chunkBytes() != CLOSED);
    if (!allCame) {
      return null;
    }
    Map<Integer, Long> chunks = new HashMap<>();
    long length = own.chunkBytes();
    own = used(own, length, chunks);
    newest.replaceAll((device, report) -> used(report, length, chunks));
    return chunks;
  }

  private static Report used(Report report, long length, Map<Integer, Long> chunks) {
    long spare = (long) report.spareChunks() - report.remainderChunks();
    chunks.put(report.member().rank(), report.chunkBytes() == length ? spare : 0L);
    return closed(report, report.iteration());
  }
}
