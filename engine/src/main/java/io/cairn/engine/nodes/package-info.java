/**
 * The checkpoints at NODE, across machines: a process serves those of its own node, and a restoring
 * rank reads those of other nodes.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.nodes;

import org.jspecify.annotations.NullMarked;
