/** Tests of the benchmark of codecs. */
@NullMarked
package io.cairn.lab.bench.codec;

import org.jspecify.annotations.NullMarked;
