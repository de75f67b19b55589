package io.cairn.cache.history;

/**
 * Counts of a history since it was opened.
 *
 * @param bytesDown from the device to the files
 * @param bytesUp from the files to the device
 * @param bytesPast from the files to the program, without the device
 * @param hits restores of states that lay on the device
 * @param misses restores that waited for a state, or read it from the files
 * @param storeWaits stores that waited for room
 * @param storeWaitNanos their waiting time
 * @param restoreWaits restores that waited for a state on its way up
 * @param restoreWaitNanos their waiting time
 * @param deviceBytes of the device in use now
 * @param fileBytes of the files in use now
 * @param peakDeviceBytes the most bytes of the device in use at once
 * @param peakFileBytes the most bytes of the files in use at once
 * @param droppedUnwritten states that were dropped before any file held them
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
    long droppedUnwritten) {}
