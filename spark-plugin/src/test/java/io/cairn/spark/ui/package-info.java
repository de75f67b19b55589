/** Tests of {@code io.cairn.spark.ui}: what its users see. */
@NullMarked
package io.cairn.spark.ui;

import org.jspecify.annotations.NullMarked;
