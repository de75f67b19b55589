/**
 * {@code cairn-lab bench scale}: one driver process that coordinates many simulated ranks over
 * sockets. The ranks send the messages of a training and hold no data; bytes belong to other
 * benchmarks.
 */
@NullMarked
package io.cairn.lab.bench.scale;

import org.jspecify.annotations.NullMarked;
