/** Tests of standbys, without Spark's network. */
@NullMarked
package io.cairn.spark.ranks;

import org.jspecify.annotations.NullMarked;
