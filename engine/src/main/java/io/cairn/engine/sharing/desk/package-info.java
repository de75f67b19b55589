/**
 * The desk: receives the reports of ranks and holders, plans with {@code io.cairn.core.sharing},
 * and answers each rank. Runs in one process of a job; neither lends nor borrows.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.sharing.desk;

import org.jspecify.annotations.NullMarked;
