/**
 * The flow schedulers in JMH, beside the floor under them and their rivals. Instances are seeded;
 * every measurement runs in a JVM of its own. The targets of the schedulers are in {@link
 * io.cairn.lab.bench.flow.FlowTargets}; results live in {@code docs/benchmarks}, not here.
 */
@NullMarked
package io.cairn.lab.bench.flow;

import org.jspecify.annotations.NullMarked;
