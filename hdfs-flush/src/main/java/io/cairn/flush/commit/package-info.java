/**
 * Carries the commit protocol out against a store: publishes manifests, takes epochs, lists what a
 * store holds from its manifests alone, and deletes what is no longer needed. Every decision is
 * made in {@code io.cairn.core.protocol}; {@code docs/COMMIT.md} tells it in prose.
 *
 * <p>Not here: the bytes of manifests and containers ({@code io.cairn.flush.format}), and when and
 * to which level something is written (the engine).
 */
@NullMarked
package io.cairn.flush.commit;

import org.jspecify.annotations.NullMarked;
