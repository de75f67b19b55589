/**
 * The port by which processes reach each other: small questions with answers, and chunks that are
 * written straight into the receiver's memory. Contracts and values only. {@code
 * io.cairn.core.wire} defines the messages, and {@code io.cairn.engine.net} implements the
 * transport. Processes of one machine that share memory move no chunks over it.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.peer;

import org.jspecify.annotations.NullMarked;
