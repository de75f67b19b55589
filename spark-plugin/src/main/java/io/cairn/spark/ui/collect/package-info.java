/**
 * What a process reports to the page "Checkpoints": events and figures of the engine, collected
 * into rounds. The number and the size of rounds are bounded, since Spark's event log keeps them.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.ui.collect;

import org.jspecify.annotations.NullMarked;
