/**
 * The Spark plugin. {@code spark.plugins=io.cairn.spark.CairnPlugin} enables it; its settings begin
 * with {@code spark.cairn.}, see {@code .settings}.
 */
@NullMarked
package io.cairn.spark;

import org.jspecify.annotations.NullMarked;
