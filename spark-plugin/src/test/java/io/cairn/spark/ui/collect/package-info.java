/** Tests of {@code io.cairn.spark.ui.collect}. */
@NullMarked
package io.cairn.spark.ui.collect;

import org.jspecify.annotations.NullMarked;
