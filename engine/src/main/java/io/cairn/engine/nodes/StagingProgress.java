package io.cairn.engine.nodes;

/**
 * The work of a staging server so far.
 *
 * @param orders that wait, or are being written
 * @param containers that it wrote to STORE
 * @param bytes of these
 * @param refused orders
 * @param failed orders, which their owners learnt
 * @param memoryBytes asked for and not handed on yet
 * @param mostMemoryBytes the most of these at once
 * @param waits times that a thread waited for memory
 */
public record StagingProgress(
    int orders,
    long containers,
    long bytes,
    long refused,
    long failed,
    long memoryBytes,
    long mostMemoryBytes,
    long waits) {}
