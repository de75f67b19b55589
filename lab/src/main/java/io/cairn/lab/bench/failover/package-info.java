/**
 * {@code cairn-lab bench failover}: executors with ranks are killed, with standbys that take the
 * ranks over and without. The ranks report to one log per rank, and the clock of the machine is the
 * same in all its processes.
 */
@NullMarked
package io.cairn.lab.bench.failover;

import org.jspecify.annotations.NullMarked;
