/** Tests of the driver's part, without Spark's network. */
@NullMarked
package io.cairn.spark.driver;

import org.jspecify.annotations.NullMarked;
