/**
 * A rank's session: capture into the device cache, and the tickets that follow each checkpoint up
 * the levels. The copying itself lives in {@code io.cairn.cache.capture}.
 */
@NullMarked
package io.cairn.engine.capture;

import org.jspecify.annotations.NullMarked;
