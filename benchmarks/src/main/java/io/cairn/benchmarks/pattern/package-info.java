/**
 * The pattern calculator and the simulator of failures in JMH; every measurement runs in a JVM of
 * its own. What they must reach stands in {@link io.cairn.benchmarks.pattern.PatternBenchmarks};
 * results live in {@code docs/benchmarks}, not here.
 */
@NullMarked
package io.cairn.benchmarks.pattern;

import org.jspecify.annotations.NullMarked;
