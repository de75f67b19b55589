/** Tests of {@code cairn-lab bench pattern}; none asserts a duration. */
@NullMarked
package io.cairn.lab.bench.pattern;

import org.jspecify.annotations.NullMarked;
