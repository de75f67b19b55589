/**
 * Training on a stream: the batches of a query of Spark's Structured Streaming are the iterations.
 */
@NullMarked
package io.cairn.examples.streaming;

import org.jspecify.annotations.NullMarked;
