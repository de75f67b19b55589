/**
 * The protocol's messages as bytes, for carriers whose ends are in different processes. What is
 * stored in files has formats of its own, in {@code io.cairn.flush.format}. {@link
 * io.cairn.core.wire.FieldWriter} and {@link io.cairn.core.wire.FieldReader} serve every message,
 * also those of {@link io.cairn.core.sharing}, which know nothing of the protocol's.
 */
@NullMarked
package io.cairn.core.wire;

import org.jspecify.annotations.NullMarked;
