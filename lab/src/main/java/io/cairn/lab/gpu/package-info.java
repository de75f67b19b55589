/** Packs a kit that tries and measures Cairn on a machine with a GPU. */
@NullMarked
package io.cairn.lab.gpu;

import org.jspecify.annotations.NullMarked;
