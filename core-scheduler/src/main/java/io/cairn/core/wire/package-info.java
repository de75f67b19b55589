/**
 * The protocol's messages as bytes, for carriers whose ends are in different processes. What is
 * stored in files has formats of its own, in {@code io.cairn.flush.format}.
 */
@NullMarked
package io.cairn.core.wire;

import org.jspecify.annotations.NullMarked;
