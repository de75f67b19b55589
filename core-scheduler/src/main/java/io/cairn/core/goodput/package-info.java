/**
 * Goodput: the time of a job by its causes, and the ratio of the time that counts. A pure account,
 * with the clock of its callers; and its form as entries of a manifest, by which a rank that dies
 * finds its account again.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.goodput;

import org.jspecify.annotations.NullMarked;
