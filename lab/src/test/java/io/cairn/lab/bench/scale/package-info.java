/** Tests of {@code cairn-lab bench scale}. */
@NullMarked
package io.cairn.lab.bench.scale;

import org.jspecify.annotations.NullMarked;
