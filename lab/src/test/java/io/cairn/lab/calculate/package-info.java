/** Tests of {@code io.cairn.lab.calculate}. */
@NullMarked
package io.cairn.lab.calculate;

import org.jspecify.annotations.NullMarked;
