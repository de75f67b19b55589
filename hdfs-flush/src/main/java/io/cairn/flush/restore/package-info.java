/**
 * Finds a checkpoint that can be restored and proves it before any of the application's memory is
 * written: which ones count, which copies there are, and for each chunk the nearest copy that is
 * good. A copy may be in a store or in a device cache; the planner knows neither.
 *
 * <p>Not here: writing the application's memory, and agreeing among the ranks of a group (the
 * engine), and what counts ({@link io.cairn.core.protocol.Lineage}).
 */
@NullMarked
package io.cairn.flush.restore;

import org.jspecify.annotations.NullMarked;
