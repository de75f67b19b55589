package io.cairn.dl4j;

/**
 * Blocking time of a training: the time inside Cairn's callbacks, in nanoseconds. Count and maximum
 * cover all calls. Beyond the capacity of the sample, the quantiles are those of a uniform sample.
 *
 * @param count calls
 * @param p50Nanos median
 * @param p99Nanos 99th percentile
 * @param maxNanos longest call
 */
public record StallStatistics(long count, long p50Nanos, long p99Nanos, long maxNanos) {}
