package io.cairn.adjoint.history;

import io.cairn.Level;
import java.util.List;

/**
 * Counts of a history since it was opened.
 *
 * @param bytesDown from the device to all places below
 * @param bytesUp from all places below to the device
 * @param bytesPast from places below to the program, without the device
 * @param hits restores of states that lay on the device
 * @param misses restores that waited for a state, or read it from below
 * @param storeWaits stores that waited for room
 * @param storeWaitNanos their waiting time
 * @param restoreWaits restores that waited for a state on its way up
 * @param restoreWaitNanos their waiting time
 * @param deviceBytes of the device in use now, with those that are lent
 * @param fileBytes of the files in use now
 * @param peakDeviceBytes the most bytes of the device in use at once
 * @param peakFileBytes the most bytes of the files in use at once
 * @param droppedUnwritten states that were dropped before any place below held them
 * @param lost states that were lost with memory of other processes
 * @param below the places below the device, the fastest first
 */
public record HistoryStats(
    long bytesDown,
    long bytesUp,
    long bytesPast,
    long hits,
    long misses,
    long storeWaits,
    long storeWaitNanos,
    long restoreWaits,
    long restoreWaitNanos,
    long deviceBytes,
    long fileBytes,
    long peakDeviceBytes,
    long peakFileBytes,
    long droppedUnwritten,
    long lost,
    List<Place> below) {
  /** Copies the list. */
  public HistoryStats {
    below = List.copyOf(below);
  }

  /**
   * Counts of one place below the device.
   *
   * @param name "host memory", "files", "store"
   * @param level that its states survive as; {@link Level#DEVICE} ends with the process
   * @param bytesDown from the device to it
   * @param bytesUp from it to the device
   * @param bytes in use now
   * @param peakBytes the most bytes in use at once
   */
  public record Place(
      String name, Level level, long bytesDown, long bytesUp, long bytes, long peakBytes) {}
}
