/**
 * The driver's part: carries the coordinators of coupled groups and the desk. The decisions are
 * those of {@code io.cairn.core.protocol} and {@code io.cairn.core.sharing}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.driver;

import org.jspecify.annotations.NullMarked;
