/** Tests of collaborative checkpoints that are executed: tiny ones, for real. No durations. */
@NullMarked
package io.cairn.benchmarks.collaborative;

import org.jspecify.annotations.NullMarked;
