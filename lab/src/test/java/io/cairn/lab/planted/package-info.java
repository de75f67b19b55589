/**
 * Defects that are planted into the sources, one at a time, to check that a test notices each. The
 * lists are in the resource directory {@code planted}; {@code .ci/planted} runs them.
 */
@NullMarked
package io.cairn.lab.planted;

import org.jspecify.annotations.NullMarked;
