/** Tests of the benchmark of small captures. */
@NullMarked
package io.cairn.lab.bench.small;

import org.jspecify.annotations.NullMarked;
