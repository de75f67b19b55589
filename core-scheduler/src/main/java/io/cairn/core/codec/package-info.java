/**
 * Records as bounded bytes, written and read by their components. {@link
 * io.cairn.core.codec.RecordCodec} knows no message: the records say how they are sent. {@code
 * io.cairn.core.wire} has the messages between processes.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.codec;

import org.jspecify.annotations.NullMarked;
