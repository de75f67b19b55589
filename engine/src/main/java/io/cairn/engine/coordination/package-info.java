/**
 * A rank and its coordinator: the port between them, one incarnation's membership in an epoch, and
 * the host that carries out a coordinator's actions. All decisions are made in {@code
 * io.cairn.core.protocol}.
 */
@NullMarked
package io.cairn.engine.coordination;

import org.jspecify.annotations.NullMarked;
