package io.cairn.spark.metrics;

/**
 * One of Cairn's metrics, as pages and dashboards show it.
 *
 * @param name below {@code plugin.io.cairn.spark.CairnPlugin}
 * @param unit such as "bytes"
 * @param meaning one sentence without its stop
 */
public record Metric(String name, String unit, String meaning) {}
