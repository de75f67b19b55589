/** Tests of standbys, without Spark's network. */
@NullMarked
package io.cairn.spark.standby;

import org.jspecify.annotations.NullMarked;
