/**
 * The transport between executors, over Spark's network layer with Spark's authentication and
 * encryption: {@link io.cairn.spark.peer.SparkPeerTransport} implements the port {@code
 * io.cairn.core.peer}. The messages are not known here.
 *
 * <p>Two features of that layer are disabled. It serves chunks and streams to unauthenticated
 * peers, so {@link io.cairn.spark.peer.NoStreams} serves none. Each end of a connection may send
 * requests, so {@link io.cairn.spark.peer.NoService} answers none over connections that this
 * process opened.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.peer;

import org.jspecify.annotations.NullMarked;
