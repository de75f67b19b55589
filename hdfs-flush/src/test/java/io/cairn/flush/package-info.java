/** Rules that hold for the whole module. */
@NullMarked
package io.cairn.flush;

import org.jspecify.annotations.NullMarked;
