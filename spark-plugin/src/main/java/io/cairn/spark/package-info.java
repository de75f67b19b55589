/**
 * The Spark plugin, switched on by {@code spark.plugins=io.cairn.spark.CairnPlugin} alone. Every
 * setting stands under {@code spark.cairn.}; what a setting means is told by {@link
 * io.cairn.engine.config.Setting}.
 */
@NullMarked
package io.cairn.spark;

import org.jspecify.annotations.NullMarked;
