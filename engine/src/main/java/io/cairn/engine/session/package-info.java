/**
 * A rank's session: capture into the device cache, the tickets that follow each checkpoint through
 * the levels, and the rank's part in a restore. Copying lives in {@code io.cairn.cache.capture};
 * choosing and verifying stored copies lives in {@code io.cairn.flush.restore}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.session;

import org.jspecify.annotations.NullMarked;
