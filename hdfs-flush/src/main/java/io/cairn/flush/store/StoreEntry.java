package io.cairn.flush.store;

/**
 * One entry of a directory.
 *
 * @param name last segment of the path
 * @param directory whether the entry is a directory
 * @param bytes length of a file, 0 for a directory
 */
public record StoreEntry(String name, boolean directory, long bytes) {}
