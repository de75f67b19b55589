/**
 * The command line: {@code bin/cairn}, its commands that look at a store, and what commands print
 * with (tables, progress, JSON). Commands of other modules implement {@link
 * io.cairn.cli.CairnCommand} and are found as services; training lives there, never here.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.cli;

import org.jspecify.annotations.NullMarked;
