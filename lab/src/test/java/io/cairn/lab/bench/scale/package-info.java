/** Tests of {@code cairn bench scale}. */
@NullMarked
package io.cairn.lab.bench.scale;

import org.jspecify.annotations.NullMarked;
