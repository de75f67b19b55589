/**
 * {@code cairn simulate}: what schedules and patterns would do, without a machine that does it.
 * What they decide is up to {@code io.cairn.core}; here are the traces that they are tried on, and
 * what is printed and drawn of it.
 */
@NullMarked
package io.cairn.cli.simulate;

import org.jspecify.annotations.NullMarked;
