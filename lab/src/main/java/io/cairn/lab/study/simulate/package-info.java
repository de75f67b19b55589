/**
 * {@code cairn-lab simulate}: asks the simulators and schedulers of {@code io.cairn.core} what
 * would happen, and prints and draws what they say. Traces live here, models do not.
 */
@NullMarked
package io.cairn.lab.study.simulate;

import org.jspecify.annotations.NullMarked;
