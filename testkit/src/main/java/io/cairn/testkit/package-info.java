/**
 * Doubles of storage, for tests and simulations: a store that crashes, loses replies, answers late,
 * tears and fills up, all from a seed. No artifact of a release has them.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.testkit;

import org.jspecify.annotations.NullMarked;
