package io.cairn.cache.history;

/** Counts for {@link HistoryStats}. The ledger's monitor guards it. */
final class LedgerCounts {
  private long bytesDown;
  private long bytesUp;
  private long bytesPast;
  private long hits;
  private long misses;
  private long storeWaits;
  private long storeWaitNanos;
  private long restoreWaits;
  private long restoreWaitNanos;
  private long droppedUnwritten;

  void down(long bytes) {
    bytesDown += bytes;
  }

  void up(long bytes) {
    bytesUp += bytes;
  }

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

  HistoryStats stats(ChunkPool device, ChunkPool files, long chunkBytes) {
    return new HistoryStats(
        bytesDown,
        bytesUp,
        bytesPast,
        hits,
        misses,
        storeWaits,
        storeWaitNanos,
        restoreWaits,
        restoreWaitNanos,
        device.used() * chunkBytes,
        files.used() * chunkBytes,
        device.peak() * chunkBytes,
        files.peak() * chunkBytes,
        droppedUnwritten);
  }
}
