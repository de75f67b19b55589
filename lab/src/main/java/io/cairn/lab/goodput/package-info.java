/**
 * A training on a clock of its own whose true causes of time are known, to check how the account of
 * goodput attributes it.
 */
@NullMarked
package io.cairn.lab.goodput;

import org.jspecify.annotations.NullMarked;
