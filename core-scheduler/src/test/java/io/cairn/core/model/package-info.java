/** Tests of {@code io.cairn.core.model}. */
@NullMarked
package io.cairn.core.model;

import org.jspecify.annotations.NullMarked;
