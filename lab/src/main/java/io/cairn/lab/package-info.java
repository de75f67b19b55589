/** The commands of {@code bin/cairn-lab}. */
@NullMarked
package io.cairn.lab;

import org.jspecify.annotations.NullMarked;
