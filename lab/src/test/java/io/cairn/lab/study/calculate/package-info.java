/** Tests of {@code io.cairn.lab.study.calculate}. */
@NullMarked
package io.cairn.lab.study.calculate;

import org.jspecify.annotations.NullMarked;
