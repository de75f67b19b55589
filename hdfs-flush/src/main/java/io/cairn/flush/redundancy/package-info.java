/**
 * Codes that protect the data of several ranks by less than a copy of each, the sets of ranks that
 * they protect, and the files that hold their parities. Containers are opaque here.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.flush.redundancy;

import org.jspecify.annotations.NullMarked;
