/**
 * Executors reach each other over Spark's own network layer, with Spark's own authentication and
 * encryption: {@link io.cairn.spark.peer.SparkPeerTransport} carries the port of {@code
 * io.cairn.core.peer}. What is said, and where received bytes go, is told by those who use it.
 *
 * <p>Two doors of that layer are shut here. It lets anybody fetch chunks and open streams before
 * they have proved themselves, so that none are served ({@link io.cairn.spark.peer.NoStreams}). And
 * each end of a connection may send requests, so that connections that this process opens answer
 * nothing ({@link io.cairn.spark.peer.NoService}).
 */
@NullMarked
package io.cairn.spark.peer;

import org.jspecify.annotations.NullMarked;
