/** Tests of {@code cairn soak}: its judge, and a minute of it. */
@NullMarked
package io.cairn.lab.soak;

import org.jspecify.annotations.NullMarked;
