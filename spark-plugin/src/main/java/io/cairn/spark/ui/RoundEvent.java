package io.cairn.spark.ui;

import io.cairn.spark.ui.model.Round;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.jspecify.annotations.Nullable;

/**
 * A round on Spark's listener bus and in its event log, as JSON. Its name and that of its field are
 * part of that format.
 *
 * @param round null in a damaged log
 */
public record RoundEvent(@Nullable Round round) implements SparkListenerEvent {}
