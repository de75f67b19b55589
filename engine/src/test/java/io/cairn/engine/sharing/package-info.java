/**
 * Tests of lending and borrowing by messages, below the ranks that do it; those with ranks are in
 * {@code io.cairn.engine.runtime}.
 */
@NullMarked
package io.cairn.engine.sharing;

import org.jspecify.annotations.NullMarked;
