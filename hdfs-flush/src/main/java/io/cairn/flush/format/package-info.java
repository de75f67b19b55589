/**
 * The bytes of a checkpoint at NODE and STORE: file names, containers and manifests, with their
 * writers and readers. {@code docs/COMMIT.md} specifies them for readers in other languages. Each
 * record has one descriptor class, which draws its layout and alone knows its offsets.
 *
 * <p>Other packages hold the publication of manifests ({@code io.cairn.flush.commit}), the choice
 * of a checkpoint to restore ({@code io.cairn.flush.restore}), and the storage ({@code
 * io.cairn.flush.store}).
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.flush.format;

import org.jspecify.annotations.NullMarked;
