/** Tests of collaborative checkpoints that are executed: tiny ones, for real. No durations. */
@NullMarked
package io.cairn.lab.bench.collaborative;

import org.jspecify.annotations.NullMarked;
