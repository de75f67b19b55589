/** Tests of {@code io.cairn.spark.peer}. */
@NullMarked
package io.cairn.spark.peer;

import org.jspecify.annotations.NullMarked;
