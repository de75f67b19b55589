/**
 * The pattern calculator and the simulator of failures in JMH; every measurement runs in a JVM of
 * its own. Their targets are in {@link io.cairn.lab.bench.pattern.PatternBenchmarks}; results live
 * in {@code docs/benchmarks}, not here.
 */
@NullMarked
package io.cairn.lab.bench.pattern;

import org.jspecify.annotations.NullMarked;
