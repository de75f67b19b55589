/**
 * What executors and driver say to each other: one request that carries what the ranks of an
 * executor have to say, and one reply with what is waiting for them. Plain bytes inside Spark's own
 * plugin messages, so that no class of ours is ever Java-serialised. The messages themselves are
 * encoded by {@code io.cairn.core.wire}; who sends them when lives in {@code .executor} and {@code
 * .driver}.
 */
@NullMarked
package io.cairn.spark.exchange;

import org.jspecify.annotations.NullMarked;
