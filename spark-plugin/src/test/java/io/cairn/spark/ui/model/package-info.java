/** Tests of {@code io.cairn.spark.ui.model}. */
@NullMarked
package io.cairn.spark.ui.model;

import org.jspecify.annotations.NullMarked;
