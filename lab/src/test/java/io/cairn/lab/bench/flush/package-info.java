/** Tests of the benchmark of captures and levels. */
@NullMarked
package io.cairn.lab.bench.flush;

import org.jspecify.annotations.NullMarked;
