/** Tests of what holders tell each other. */
@NullMarked
package io.cairn.engine.sharing;

import org.jspecify.annotations.NullMarked;
