package io.cairn.spark.ranks;

/**
 * A task that trains a rank, or waits to take one over.
 *
 * @param task the number of this attempt in its application, which no other attempt has
 * @param partition of the task in its stage, which Spark starts again in a later attempt
 */
record Seat(long task, int partition, String executor, String machine) {}
