package io.cairn.core.sharing;

/**
 * A chunk that a borrower wrote under a lease.
 *
 * @param slot of the lender's cache, in which the chunk lies
 */
public record LeasedChunk(int slot, FilledChunk chunk) {}
