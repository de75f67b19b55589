/**
 * {@code cairn demo trouble}: trainings of the digits that get into trouble on purpose, and roll
 * back by themselves.
 */
@NullMarked
package io.cairn.examples.trouble;

import org.jspecify.annotations.NullMarked;
