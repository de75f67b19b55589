/**
 * Carries out the commit protocol against a store: publishes manifests, takes epochs, lists
 * checkpoints by their manifests, and applies retention. {@code io.cairn.core.protocol} makes every
 * decision; {@code docs/COMMIT.md} describes it in prose.
 *
 * <p>The bytes of manifests and containers belong to {@code io.cairn.flush.format}. The engine
 * decides when a checkpoint is written, and to which level.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.flush.commit;

import org.jspecify.annotations.NullMarked;
