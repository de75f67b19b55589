/** Tests of {@code io.cairn.cli.pattern}. */
@NullMarked
package io.cairn.cli.pattern;

import org.jspecify.annotations.NullMarked;
