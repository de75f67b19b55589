/**
 * What executors and driver say to each other: one request that carries what the ranks of an
 * executor have to say, and one reply with what is waiting for them. Plain bytes inside Spark's own
 * plugin messages, so that no class of ours is ever Java-serialised.
 */
@NullMarked
package io.cairn.spark.exchange;

import org.jspecify.annotations.NullMarked;
