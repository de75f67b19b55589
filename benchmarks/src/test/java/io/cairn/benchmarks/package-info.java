/** Tests of the measurements on tiny networks; none asserts a duration. */
@NullMarked
package io.cairn.benchmarks;

import org.jspecify.annotations.NullMarked;
