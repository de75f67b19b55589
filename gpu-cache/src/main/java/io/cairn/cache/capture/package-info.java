/**
 * The way of the application's memory into device memory and back: which regions are protected, the
 * shape of one moment, its copy in chunks with a checksum each, and the restore that verifies every
 * chunk again. Where the chunks lie is {@code io.cairn.cache.chunk}'s; when to capture, the
 * engine's.
 */
@NullMarked
package io.cairn.cache.capture;

import org.jspecify.annotations.NullMarked;
