/** Tests of {@code io.cairn.spark.ui.page}. */
@NullMarked
package io.cairn.spark.ui.page;

import org.jspecify.annotations.NullMarked;
