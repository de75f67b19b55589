/**
 * Messages between processes: {@link io.cairn.core.wire.PeerRequest} and {@link
 * io.cairn.core.wire.PeerReply} between holders and the desk, {@link
 * io.cairn.core.wire.ExchangeRequest} and {@link io.cairn.core.wire.ExchangeReply} between
 * executors and the driver. They carry the messages that {@code .protocol} and {@code .sharing}
 * define. {@link io.cairn.core.wire.Wire} encodes and decodes; nothing here sends. Files have
 * formats of their own, in {@code io.cairn.flush.format}.
 *
 * <p>A new message takes a record in its sealed family. The file {@code wire.txt} of the tests has
 * all of them, and {@code Wire} their version.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.wire;

import org.jspecify.annotations.NullMarked;
