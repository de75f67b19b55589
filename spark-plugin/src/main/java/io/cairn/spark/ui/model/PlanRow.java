package io.cairn.spark.ui.model;

import java.util.List;

/**
 * A plan of the desk: where remainders of checkpoints go.
 *
 * @param checkpoint the first one of the plan, for people
 * @param sites the processes, in the order of their numbers in transfers
 * @param predictedSeconds until the last sender is done
 */
public record PlanRow(
    long atMillis,
    String checkpoint,
    List<SiteRow> sites,
    List<TransferRow> transfers,
    double predictedSeconds) {
  /** Of one plan; a picture of more shows nothing. */
  public static final int MOST_SITES = 64;

  static final int MOST_TRANSFERS = 256;

  /** Clips texts and lists. */
  public PlanRow {
    checkpoint = Rows.text(checkpoint);
    sites = Rows.list(sites, MOST_SITES);
    transfers = Rows.list(transfers, MOST_TRANSFERS);
  }

  /**
   * A process with a cache.
   *
   * @param remainderBytes that do not fit its cache
   * @param spareBytes that it lends
   */
  public record SiteRow(
      String process, String machine, int device, long remainderBytes, long spareBytes) {
    /** Clips texts. */
    public SiteRow {
      process = Rows.text(process);
      machine = Rows.text(machine);
    }
  }

  /**
   * Bytes from a site to another one.
   *
   * @param to the receiver's number, or -1 for the sender's host memory
   * @param predictedSeconds of the sender; NaN if the bytes found no place
   */
  public record TransferRow(int from, int to, long bytes, double predictedSeconds) {}
}
