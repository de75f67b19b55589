/**
 * Carries questions and chunks between processes over TCP: {@link
 * io.cairn.engine.net.TcpPeerTransport} implements the port {@code io.cairn.core.peer}. The ends of
 * a connection prove to each other that they know the secret of the job. {@code Services} alone
 * knows families of messages.
 *
 * <p>{@code Hello} greets. {@code FrameWriter} makes bytes of frames, in records that {@code
 * Sealing} seals; {@code RecordReader} opens these, and {@code FrameReader} makes frames of the
 * bytes.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.net;

import org.jspecify.annotations.NullMarked;
