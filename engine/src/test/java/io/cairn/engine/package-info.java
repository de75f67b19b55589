/** Tests of the whole module. */
@NullMarked
package io.cairn.engine;

import org.jspecify.annotations.NullMarked;
