/** Tests of {@code cairn-lab soak}: its judge, and a minute of it. */
@NullMarked
package io.cairn.lab.soak;

import org.jspecify.annotations.NullMarked;
