/** Tests of what driver and executors say to each other. */
@NullMarked
package io.cairn.spark.exchange;

import org.jspecify.annotations.NullMarked;
