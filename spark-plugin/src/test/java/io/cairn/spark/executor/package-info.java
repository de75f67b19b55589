/** Tests of the executors' part. */
@NullMarked
package io.cairn.spark.executor;

import org.jspecify.annotations.NullMarked;
