/** Tests of the benchmark of codes. */
@NullMarked
package io.cairn.lab.bench.codes;

import org.jspecify.annotations.NullMarked;
