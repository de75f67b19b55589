/** Tests of {@code io.cairn.cache.chunk}, and the model that they compare it with. */
@NullMarked
package io.cairn.cache.chunk;

import org.jspecify.annotations.NullMarked;
