package io.cairn.adjoint.history;

import io.cairn.Level;
import java.util.List;

/** Counts for {@link HistoryStats}. The ledger's monitor guards it. */
final class LedgerCounts {
  private long bytesPast;
  private long hits;
  private long misses;
  private long storeWaits;
  private long storeWaitNanos;
  private long restoreWaits;
  private long restoreWaitNanos;
  private long droppedUnwritten;

  void past(long bytes) {
    bytesPast += bytes;
  }

  void restored(boolean hit) {
    hits += hit ? 1 : 0;
    misses += hit ? 0 : 1;
  }

  void storeWaited(long nanos) {
    storeWaits++;
    storeWaitNanos += nanos;
  }

  void restoreWaited(long nanos) {
    restoreWaits++;
    restoreWaitNanos += nanos;
  }

  void dropped(boolean written) {
    droppedUnwritten += written ? 0 : 1;
  }

  HistoryStats stats(ChunkPool device, List<Room> rooms, long chunkBytes, long lost) {
    List<HistoryStats.Place> below = rooms.stream().map(room -> room.stats(chunkBytes)).toList();
    HistoryStats.Place files =
        below.stream().filter(place -> place.level() == Level.NODE).findFirst().orElseThrow();
    return new HistoryStats(
        below.stream().mapToLong(HistoryStats.Place::bytesDown).sum(),
        below.stream().mapToLong(HistoryStats.Place::bytesUp).sum(),
        bytesPast,
        hits,
        misses,
        storeWaits,
        storeWaitNanos,
        restoreWaits,
        restoreWaitNanos,
        device.used() * chunkBytes,
        files.bytes(),
        device.peak() * chunkBytes,
        files.peakBytes(),
        droppedUnwritten,
        lost,
        below);
  }
}
