/**
 * {@code cairn-lab simulate cluster}: machines, processes, networks and stores that fail, in
 * virtual time. A process is the real engine, with its wiring, coordinators and sessions. Only
 * time, threads, networks and media are simulated here, and the judge that knows the whole history.
 */
@NullMarked
package io.cairn.lab.study.cluster;

import org.jspecify.annotations.NullMarked;
