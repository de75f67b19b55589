/**
 * The driver's part: carries the coordinators of coupled groups and knows what the nodes hold. What
 * they decide lives in {@code io.cairn.core.protocol}.
 */
@NullMarked
package io.cairn.spark.driver;

import org.jspecify.annotations.NullMarked;
