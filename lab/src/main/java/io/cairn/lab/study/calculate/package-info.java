/**
 * The commands that calculate: {@code pattern} and {@code model}, with their input, tables and
 * charts. The mathematics is {@code io.cairn.core.pattern}'s.
 */
@NullMarked
package io.cairn.lab.study.calculate;

import org.jspecify.annotations.NullMarked;
