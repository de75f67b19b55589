/**
 * The copy of the application's memory into device memory and back: the protected regions, a
 * snapshot of their shape, the capture in chunks with a checksum each, and the restore that
 * verifies each chunk. The slots belong to {@code io.cairn.cache.chunk}; the engine decides when to
 * capture.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.cache.capture;

import org.jspecify.annotations.NullMarked;
