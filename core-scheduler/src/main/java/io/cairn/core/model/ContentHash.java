package io.cairn.core.model;

/**
 * A hash of 128 bits of a chunk's bytes. Two chunks of one length with equal hashes are equal, as
 * far as nobody constructs a collision.
 *
 * @param high the first 8 bytes
 * @param low the last 8 bytes
 */
public record ContentHash(long high, long low) {}
