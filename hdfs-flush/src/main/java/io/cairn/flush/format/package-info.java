/**
 * The bytes of a checkpoint at NODE and STORE: where files lie, what a container and a manifest
 * hold, and how they are written and checked. {@code docs/FORMAT.md} says the same for readers in
 * other languages. One descriptor class per record draws its layout; offsets stand nowhere else.
 *
 * <p>Not here: when a manifest may be published ({@code io.cairn.flush.commit}), which checkpoint
 * is restored ({@code io.cairn.flush.restore}), and the storage itself ({@code
 * io.cairn.flush.store}).
 */
@NullMarked
package io.cairn.flush.format;

import org.jspecify.annotations.NullMarked;
