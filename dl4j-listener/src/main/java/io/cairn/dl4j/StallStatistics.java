package io.cairn.dl4j;

/**
 * How long training stood still for checkpoints: the time inside Cairn's callbacks, in nanoseconds.
 * The quantiles are of a uniform sample once there are more calls than it holds; the count and the
 * maximum are of all.
 *
 * @param count calls
 * @param p50Nanos median
 * @param p99Nanos 99th percentile
 * @param maxNanos the longest
 */
public record StallStatistics(long count, long p50Nanos, long p99Nanos, long maxNanos) {}
