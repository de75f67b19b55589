/**
 * The settings: their names, defaults and meanings, and the records that they are read into. Opens
 * nothing; {@code io.cairn.engine.runtime} does that.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.engine.config;

import org.jspecify.annotations.NullMarked;
