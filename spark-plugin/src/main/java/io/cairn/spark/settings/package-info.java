/**
 * The settings {@code spark.cairn.*} as driver and executors read them. {@link
 * io.cairn.engine.config.Setting} says what each means.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.settings;

import org.jspecify.annotations.NullMarked;
