/**
 * How the regions of a group's ranks make up one state. Computes boxes of arrays, the bytes that
 * two boxes share, and the saved ranks that cover a wanted box. Pure computation over immutable
 * values.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.layout;

import org.jspecify.annotations.NullMarked;
