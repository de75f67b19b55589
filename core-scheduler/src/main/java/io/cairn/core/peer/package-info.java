/**
 * The port by which processes reach each other without the coordinator: small questions with
 * answers, and chunks that land straight in the receiver's memory. Only contracts and values. What
 * is said over it is decided in {@code io.cairn.core.protocol}; what carries it lives in {@code
 * io.cairn.spark.peer}. Processes of one node that share memory move no bytes over it.
 */
@NullMarked
package io.cairn.core.peer;

import org.jspecify.annotations.NullMarked;
