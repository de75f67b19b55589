/**
 * A rank and its coordinator: the port between them, one incarnation's membership in an epoch, and
 * the host that carries out a coordinator's actions. Ranks of other processes exchange bytes with
 * an {@link io.cairn.engine.coordination.ExchangeServer}, as questions of a peer. All decisions are
 * made in {@code io.cairn.core.protocol}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.coordination;

import org.jspecify.annotations.NullMarked;
