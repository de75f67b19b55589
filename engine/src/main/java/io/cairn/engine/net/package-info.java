/**
 * Carries questions and chunks between processes over TCP, without Spark: {@link
 * io.cairn.engine.net.TcpPeerTransport} implements the port {@code io.cairn.core.peer}. The ends of
 * a connection prove to each other that they know the secret of the job. The messages are not known
 * here.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.net;

import org.jspecify.annotations.NullMarked;
