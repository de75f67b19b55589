/**
 * Messages as bytes, for carriers whose ends are in different processes: the protocol's, which
 * {@link io.cairn.core.wire.Wire} turns, and those about sharing, {@link
 * io.cairn.core.wire.SharingWire}. The two know nothing of each other, and share how fields are
 * written and read. What is stored in files has formats of its own, in {@code
 * io.cairn.flush.format}.
 */
@NullMarked
package io.cairn.core.wire;

import org.jspecify.annotations.NullMarked;
