/**
 * Cairn's threads: the only place that makes them, and what becomes of one that fails.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.threads;

import org.jspecify.annotations.NullMarked;
