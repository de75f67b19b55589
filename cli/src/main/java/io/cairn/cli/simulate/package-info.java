/**
 * {@code cairn simulate}: asks the simulators of {@code io.cairn.core} and prints what they say. No
 * model lives here.
 */
@NullMarked
package io.cairn.cli.simulate;

import org.jspecify.annotations.NullMarked;
