/**
 * Sharing of spare device memory: carries out the decisions of {@code io.cairn.core.sharing}.
 *
 * <p>{@link io.cairn.engine.sharing.Sharing} is one process's part. Its {@code lender} leases slots
 * of the process's cache to others. Its {@code borrower} leases slots of other processes for
 * remainders. Both know other processes through {@code peer}. The {@code desk} runs in one process
 * of the job and plans which lender holds which remainder.
 *
 * <p>{@code io.cairn.cache} copies the bytes. An implementation of {@code io.cairn.core.peer}
 * carries the messages.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.sharing;

import org.jspecify.annotations.NullMarked;
