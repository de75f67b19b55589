/**
 * Encodes chunks on their way to a store, and decodes them. {@code io.cairn.flush.format} says
 * where the encoded bytes lie and which checksums cover them. The libraries are optional: a class
 * path without them writes and reads everything that is not compressed.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.flush.codec;

import org.jspecify.annotations.NullMarked;
